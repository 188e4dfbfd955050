/* SPDX-License-Identifier: MIT */
/* Writes gmon.out and the sidecar beside it.  Both are complete under temporary names before they
   are renamed, gmon.out last.  A process that is killed in between leaves the new sidecar beside
   the old gmon.out; the run id and the moment of the dump, which both contain, show that they do
   not belong together.  If the sidecar cannot be written, gmon.out contains that fact, so an older
   sidecar is ignored.  Context: cold, lock held. */
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"

/* Too large for the small stacks that the dump may run on. */
static struct bbp_out out, sidecar;
static char sidecar_path[BBP_PATH_SIZE + sizeof BBX_SUFFIX];

static bool
write_sidecar (const char *path, const struct bbp_profile *profile, uint32_t *moment)
{
  struct bbp_text text = { .buffer = sidecar_path, .size = sizeof sidecar_path };
  bbp_text_string (&text, path);
  bbp_text_string (&text, BBX_SUFFIX);
  if (!bbp_out_open (&sidecar, sidecar_path))
    return false;
  *moment = bbp_bbx_write (&sidecar, profile);
  return bbp_out_finish (&sidecar);
}

static bool
write_gmon (const char *path, const struct bbp_profile *profile, uint64_t run, uint32_t moment)
{
  if (!bbp_out_open (&out, path))
    return false;
  bbp_gmon_write (&out, profile, run, moment);
  return bbp_out_finish (&out);
}

int
bbp_write (const char *path, const struct bbp_profile *profile)
{
  uint32_t moment = 0;
  bbp_temporary_remove_stale (path);
  bool paired = write_sidecar (path, profile, &moment);
  bool written = write_gmon (path, profile, paired ? bbp.run : 0, paired ? moment : 0);
  if (paired && written)
    bbp_out_rename (&sidecar, sidecar_path);
  else if (paired)
    bbp_out_discard (&sidecar);
  if (!written || !bbp_out_rename (&out, path))
    return -out.error;
  if (sidecar.error)
    bbp_message_unwritten (sidecar_path, strerrordesc_np (sidecar.error));
  return 0;
}
