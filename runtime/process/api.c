/* SPDX-License-Identifier: MIT */
/* The API that programs call (bbprof.h), except sampling_api.c and the historic names in
   libc_names.c.  Context: cold, the program's. */
#include <errno.h>

#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/process/process.h"

BBP_PUBLIC void bbprof_stop (void);
BBP_PUBLIC void bbprof_start (void);
BBP_PUBLIC int bbprof_thread (int);
BBP_PUBLIC int bbprof_reset (void);
BBP_PUBLIC int bbprof_dump (void);
BBP_PUBLIC int bbprof_write (long (*) (void *, const void *, size_t), void *);

void
bbprof_stop (void)
{
  bbp_stop (true);
}

void
bbprof_start (void)
{
  bbp_stop (false);
}

int
bbprof_thread (int on)
{
  return !bbp_thread_stop (!on);
}

int
bbprof_reset (void)
{
  bbp_sigset old = bbp_lock ();
  int error = bbp_reset_locked ();
  bbp_unlock (old);
  return error;
}

int
bbprof_dump (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  int error = bbp_dump_locked (true);
  bbp_unlock (old);
  return error;
}

/* Write into memory while the lock is held.  The caller frees OUT's memory even after an error. */
static int
write_into_memory (struct bbp_out *out)
{
  struct bbp_profile profile;
  int error = bbp.started ? bbp_merge (&profile) : -EINVAL;
  if (error)
    return error;
  bbp_gmon_write (out, &profile, 0, 0); /* no file, no sidecar */
  bbp_merge_free (&profile);
  return bbp_out_close_memory (out) ? 0 : -out->error;
}

/* WRITER is the program's own code and may be instrumented, so it is called after the lock is
   released. */
int
bbprof_write (long (*writer) (void *, const void *, size_t), void *context)
{
  struct bbp_out *out = bbp_pages_map (sizeof *out);
  if (!out)
    return -ENOMEM;
  bbp_out_open_memory (out);
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  int error = write_into_memory (out);
  bbp_unlock (old);
  if (!error && writer (context, out->memory, out->written) != (long) out->written)
    error = -EIO;
  bbp_pages_unmap (out->memory, out->memory_bytes);
  bbp_pages_unmap (out, sizeof *out);
  return error;
}
