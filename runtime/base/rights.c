/* SPDX-License-Identifier: MIT */
/* A program with more rights than its caller (set-uid, set-gid, file capabilities) accesses profile
   files with the caller's rights.  Otherwise any user could have files created and replaced where
   only the program may.  File-system rights belong to the thread, so other threads are not
   affected.  Context: cold, lock held. */
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static bool secure;

static struct {
  long user, group;
  struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
} before;

void
bbp_rights_start (void)
{
  secure = getauxval (AT_SECURE) != 0;
}

/* False: they cannot be lowered, so no file may be accessed. */
bool
bbp_rights_lower (void)
{
  if (!secure)
    return true;
  long user = bbp_sys_getuid (), group = bbp_sys_getgid ();
  before.group = bbp_sys_setfsgid (group);
  before.user = bbp_sys_setfsuid (user);
  if (bbp_sys_setfsgid (group) != group || bbp_sys_setfsuid (user) != user
      || bbp_sys_capget (before.capabilities) < 0)
    return false;
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
    {
      none[i] = before.capabilities[i];
      none[i].effective = 0;
    }
  return bbp_sys_capset (none) == 0;
}

void
bbp_rights_restore (void)
{
  if (!secure)
    return;
  bbp_sys_setfsuid (before.user);
  bbp_sys_setfsgid (before.group);
  bbp_sys_capset (before.capabilities);
}
