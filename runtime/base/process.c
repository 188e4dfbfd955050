/* SPDX-License-Identifier: MIT */
/* Distinguishes the profiled process from children that were made without fork's handlers (vfork,
   clone, _Fork), which have its memory or a copy of it.  A page that the kernel clears in copies
   tells which.  Context: any. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static int *mark; /* 1 in the profiled process's memory, 0 in a copy; null: not supported */

/* Also called in a forked child: the kernel has cleared its page. */
void
bbp_process_start (void)
{
  bbp.pid = bbp_sys_getpid ();
  if (!mark)
    mark = bbp_pages_map (sizeof *mark);
  if (mark && bbp_sys_wipe_on_fork (mark, sizeof *mark) != 0)
    {
      bbp_pages_unmap (mark, sizeof *mark);
      mark = NULL;
    }
  if (mark)
    *mark = 1;
}

/* From now on the library's replacements of libc functions only pass calls on, as in a child of
   vfork. */
void
bbp_process_disown (void)
{
  bbp.pid = 0;
}

bool
bbp_own_process (void)
{
  return bbp_sys_getpid () == bbp.pid;
}

bool
bbp_profiled_memory (void)
{
  return mark ? *(volatile int *) mark : bbp_own_process ();
}

/* True if this process does not share the library's memory.  If it does, nothing in it may be
   changed. */
bool
bbp_own_memory (void)
{
  return bbp_own_process () || (mark && *(volatile int *) mark == 0);
}
