/* SPDX-License-Identifier: MIT */
/* The dump: merges what all threads have counted and writes gmon.out, the sidecar and the historic
   files.  It is one operation, under the lock; exit, signals, commands and the API call it.  A dump
   that would write what the last one wrote is skipped.  Also the reset: count from zero.  Context:
   cold. */
#include <errno.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/languages/languages.h"
#include "runtime/historic/historic.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/sample_queue.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/select/select.h"
#include "runtime/trace/trace.h"

/* Too large for the small stacks that the dump may run on.  Lock. */
static char path[BBP_PATH_SIZE];

/* Like glibc, fall back to the plain name if the file with the prefix cannot be made. */
static int
write_files (const struct bbp_profile *profile)
{
  if (bbp_path_prefixed (path, sizeof path) && bbp_write (path, profile) == 0)
    return 0;
  return bbp_path_plain (path, sizeof path) ? bbp_write (path, profile) : -ENAMETOOLONG;
}

/* So that a disk does not fill up with dumps that have files of their own. */
static void
remove_outdated (void)
{
  static char name[BBP_PATH_SIZE + sizeof BBX_SUFFIX];
  if (!bbp_path_outdated (name, BBP_PATH_SIZE, bbp_options.keep))
    return;
  bbp_sys_unlink (name);
  bbp_copy_bytes (name + bbp_string_bytes (name) - 1, BBX_SUFFIX, sizeof BBX_SUFFIX);
  bbp_sys_unlink (name);
}

/* The dumps at exit have one number, because each replaces the one before. */
static void
number_dump (void)
{
  static bool last;
  if (!last)
    bbp.dumps++;
  last = bbp.exiting;
}

/* Once for each dump that wrote gmon.out, but not for a provisional one. */
static void
write_historic_files (const struct bbp_profile *profile, bool written)
{
  static bool due;
  due |= written && bbp_options.historic;
  if (due && !bbp.provisional)
    {
      due = false;
      bbp_historic_write (profile);
    }
}

/* A process with little CPU time, such as configure's tests, leaves no profile if min-cpu is
   set. */
static bool
is_too_short (void)
{
  return bbp_sys_nanoseconds (CLOCK_PROCESS_CPUTIME_ID) < bbp_options.min_cpu * 1000000UL;
}

/* What a program with one thread had counted at its first dump at exit (start.c).  If it has
   counted nothing since, the second would write the same, and need not merge to find that out. */
static struct {
  bool known;
  uint64_t sum, rebased;
} dumped;

static void
note_dumped (void)
{
  dumped.known = bbp.exiting && !bbp_options.historic && (!bbp.threads || !bbp.threads->next);
  FOR_EACH_HISTORIC (unit)
  dumped.known = false; /* its counters are not in the sum */
  dumped.sum = dumped.known ? bbp_gather_sum () : 0;
  dumped.rebased = bbp.rebased;
}

static bool
counted_nothing_since (void)
{
  return dumped.known && dumped.rebased == bbp.rebased && dumped.sum == bbp_gather_sum ();
}

static int
merge_and_write (bool always)
{
  struct bbp_profile profile;
  if (!always && counted_nothing_since ())
    return 0;
  int error = bbp_merge (&profile);
  if (error)
    {
      bbp.lost_dumps++;
      bbp_message_once ("gmon.out not written", strerrordesc_np (-error));
      return error;
    }
  bool wanted = always || profile.sum != bbp.written || !bbp.written;
  if (wanted)
    {
      number_dump ();
      error = write_files (&profile);
      bbp.saved = !error;
      bbp_live_name_profile ();
      if (error)
        {
          bbp.lost_dumps++;
          bbp_message_unwritten (path, strerrordesc_np (-error));
        }
      else
        {
          remove_outdated ();
          bbp_losses_report (path);
          bbp_languages_report ();
        }
      bbp.written = profile.sum;
    }
  write_historic_files (&profile, wanted);
  bbp_merge_free (&profile);
  if (!error)
    note_dumped ();
  return error;
}

static bool ending; /* the next end of the trace is the last one; lock */

/* Write all that has been counted. */
int
bbp_dump_locked (bool always)
{
  if (!bbp.started || bbp.finished)
    return -EINVAL;
  bbp_samples_pause (true);
  bbp_jump_settle ();
  int error = always || !is_too_short () ? merge_and_write (always) : 0;
  bbp_raw_write ();
  bbp_samples_pause (false);
  if (!bbp.exiting && !ending)
    bbp_trace_dump ();
  return error;
}

static void
dump (void *unused)
{
  (void) unused;
  bbp_dump_locked (false);
}

/* End the streams that other processes write, and report what is missing. */
static void
finish (void *unused)
{
  (void) unused;
  bbp_trace_end (false);
  bbp_rings_end ();
  bbp_raw_end ();
  bbp_choose_complain ();
}

void
bbp_dump_in_handler (void)
{
  bbp_on_handler_stack (dump, NULL);
}

/* Makes the last dump: none may follow, because the end of the process would cut it off. */
void
bbp_dump_at_end (bool in_handler)
{
  bbp_sigset old = bbp_lock ();
  ending = true;
  bbp_trace_end_with_totals ();
  bbp_rings_close ();
  if (in_handler)
    {
      bbp_dump_in_handler ();
      bbp_on_handler_stack (finish, NULL);
    }
  else
    {
      bbp_dump_locked (false);
      finish (NULL);
    }
  ending = false;
  bbp.finished = true;
  if (bbp.saved || is_too_short ())
    bbp_live_remove ();
  bbp_unlock (old);
}

void
bbp_dump (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  bbp_dump_locked (false);
  bbp_unlock (old);
}

const char *
bbp_dump_name (void)
{
  return path;
}

void
bbp_dump_since_now (void)
{
  bbp.since = bbp_sys_nanoseconds (CLOCK_REALTIME) / 1000000000;
}

int
bbp_reset_locked (void)
{
  bbp_dump_since_now ();
  bbp_raw_reset ();
  return bbp_merge_reset ();
}

/* If there is no memory for the baseline, profiling ends: a profile would contain the counts from
   before. */
bool
bbp_count_from_zero (void)
{
  int error = bbp_reset_locked ();
  if (error)
    {
      bbp_message_once ("gmon.out not written", strerrordesc_np (-error));
      bbp.started = false;
      bbp.stopped_before = true;
    }
  return !error;
}
