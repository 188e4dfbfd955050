/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a short program many times and adds up the profiles like bbprof merge.  Each run's
   profile is in a temporary folder beside the output and is removed after it was added.  The
   series ends early if a run ends with another status than the first one, or by a signal, or if
   the user interrupts it. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/progress.h"
#include "model/sums/merge.h"
#include "tools/record/record.h"

/* The temporary folder and its files. */
struct place {
  char *folder, *profile, *sidecar;
};

static bool
make_place (struct place *place, const char *output, struct error *err)
{
  *place = (struct place) { 0 };
  if (asprintf (&place->folder, "%s.XXXXXX", output) < 0)
    return error_no_memory (err);
  if (!mkdtemp (place->folder))
    return error_set (err, place->folder, ERROR_NO_OFFSET, "%s", strerror (errno));
  if (asprintf (&place->profile, "%s/gmon.out", place->folder) >= 0
      && asprintf (&place->sidecar, "%s.bbx", place->profile) >= 0)
    return true;
  return error_no_memory (err);
}

static void
remove_files (const struct place *place)
{
  unlink (place->profile);
  unlink (place->sidecar);
}

/* Names are kept, because the error may name one of the files. */
static void
remove_place (const struct place *place)
{
  if (place->profile && place->sidecar)
    remove_files (place);
  rmdir (place->folder);
}

/* Rewinds standard input, so that each run reads the same; if that is possible. */
static void
rewind_input (off_t start)
{
  if (start >= 0)
    lseek (STDIN_FILENO, start, SEEK_SET);
}

/* Runs the program once more and adds its profile to MERGE.  False: not started, or no profile. */
static bool
run_once (struct record_run *run, struct merge *merge, const struct place *place, int *status,
          struct error *err)
{
  if (!record_start (run, status, err))
    return false;
  record_wait (run);
  *status = 0;
  bool ok = record_secure (run, err) && merge_add (merge, run->output, err);
  remove_files (place);
  return ok;
}

static bool
run_all (struct record_run *run, struct merge *merge, const struct place *place,
         unsigned long *runs, int *status, struct error *err)
{
  struct progress progress;
  off_t start = lseek (STDIN_FILENO, 0, SEEK_CUR);
  int first = 0;
  progress_start (&progress, "bbprof record", run->options->repeat);
  bool ok = true, goes_on = true;
  while (ok && goes_on && *runs < run->options->repeat)
    {
      rewind_input (start);
      ok = run_once (run, merge, place, status, err);
      if (!ok)
        break;
      if (++*runs == 1)
        first = run->status;
      goes_on = run->status == first && WIFEXITED (run->status) && !record_is_asked_to_end ();
      progress_tell (&progress, *runs);
    }
  progress_clear (&progress);
  return ok;
}

bool
record_repeat (struct record_run *run, int *status, struct error *err)
{
  struct place place;
  struct merge merge;
  unsigned long runs = 0;
  const char *output = run->output;
  *status = EXIT_FAILURE;
  if (!make_place (&place, output, err))
    return false;
  merge_init (&merge);
  run->output = place.profile;
  bool ok = run_all (run, &merge, &place, &runs, status, err);
  run->output = output;
  remove_place (&place);
  if (runs > 0)
    {
      struct error unwritten;
      bool written = merge_write (&merge, output, &unwritten);
      if (ok && !written)
        *err = unwritten;
      ok = ok && written;
      if (written)
        record_retire_old (run);
    }
  merge_free (&merge);
  if (ok && !run->options->quiet)
    record_tell (run, output, runs);
  return ok;
}
