/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof historic: the files that programs compiled by GCC 2.95 with -a and -ax wrote. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/decode/trace_read.h"
#include "tools/historic/historic.h"

static const char bb_out[] = "bb.out";

static bool
read_files (const struct arguments *a, const char *argv0, struct model *m, struct error *err)
{
  bool ok = model_read (m, a->program, a->profiles, a->nprofiles,
                        &(struct symtab_choice) { .parts = true, .any_build = a->force }, err);
  warnings_print (argv0, &m->warnings);
  if (ok && m->runs[0].sidecar.nprocesses == 0)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "no sidecar beside the profile, which names the units");
  if (ok && a->jumps && !m->jumps_variants)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET, "no jumps in the profile");
  return ok;
}

/* Jumps and unknown names come first, as in GCC 2.95: their exit handler was registered last, and
   handlers are called in reverse order. */
static bool
write_parts (const struct bbh_receiver *out, const struct arguments *a, const struct historic *h,
             struct error *err)
{
  bool all = !a->counts && !a->jumps && !a->sequence;
  if (all || a->jumps)
    historic_write_missing (out, h);
  if ((all || a->jumps) && h->model->jumps_variants && !historic_write_jumps (out, h, err))
    return false;
  return (!all && !a->counts) || historic_write_counts (out, h, err);
}

static void
put (void *context, const void *bytes, size_t n)
{
  fwrite (bytes, 1, n, context);
}

static bool
append (const struct arguments *a, const char *argv0, const struct historic *h, struct error *err)
{
  FILE *out = fopen (bb_out, "a");
  if (!out)
    return error_set (err, bb_out, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  bool ok = write_parts (&(struct bbh_receiver) { put, out }, a, h, err);
  if (fclose (out) != 0 && ok)
    return error_set (err, bb_out, ERROR_NO_OFFSET, "cannot write: %s", strerror (errno));
  if (ok)
    fprintf (stderr, "%s: appended to %s\n", argv0, bb_out);
  return ok;
}

static bool
only_trace (const struct arguments *a)
{
  return a->sequence && !a->counts && !a->jumps;
}

/* With --trace, a trace beside the profile is required. */
static bool
write_trace (const struct arguments *a, const char *argv0, const struct historic *h,
             struct error *err)
{
  struct warnings warnings = { 0 };
  bool asked = a->sequence, others = a->counts || a->jumps;
  static char name[PATH_MAX + sizeof ".bbt"]; /* errors refer to it */
  snprintf (name, sizeof name, "%s.bbt", a->profiles[0]);
  bool ok = true;
  if (asked || (!others && access (name, F_OK) == 0))
    {
      struct trace *t = trace_open (name, a->force, &warnings, err);
      warnings_print (argv0, &warnings);
      ok = t && historic_write_trace (t, h, a->plain, err);
      trace_close (t);
    }
  warnings_free (&warnings);
  return ok;
}

static void
local_time (char when[BBH_TIME], time_t time)
{
  struct tm tm;
  bbh_time (when, time + (localtime_r (&time, &tm) ? tm.tm_gmtoff : 0));
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  struct blocks blocks = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_historic, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  if (a.nprofiles > 1)
    {
      fprintf (stderr, "%s: one profile at a time; bbprof merge adds them up\n", argv[0]);
      return COMMAND_USAGE;
    }
  bool ok = read_files (&a, argv[0], &model, err)
            && blocks_build (&blocks, &model.objects, &model.symtab, &model.profile, err);
  if (ok)
    {
      const struct bbx *x = &model.runs[0].sidecar;
      const struct bbx_run *last = &x->processes[x->nprocesses - 1].fixed;
      char finished[BBH_TIME];
      local_time (finished, (time_t) ((last->started + last->wall) / 1000000000));
      struct historic h
          = { .model = &model, .blocks = &blocks, .sidecar = x, .finished = finished };
      ok = write_trace (&a, argv[0], &h, err) && (only_trace (&a) || append (&a, argv[0], &h, err));
    }
  blocks_free (&blocks);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  { ARGUMENT_COUNTS, "counts", NULL, "write only the executions of blocks", NULL },
  { ARGUMENT_JUMPS, "jumps", NULL, "write only the jumps (programs compiled with ax)", NULL },
  { ARGUMENT_SEQUENCE, "trace", NULL,
    "write only the trace, from gmon.out.bbt (programs compiled with ax)", NULL },
  { ARGUMENT_PLAIN, "plain", NULL, "write bbtrace instead of bbtrace.gz", NULL },
  FORCE_OPTION,
  END_OF_OPTIONS,
};

const struct command command_historic = {
  .name = "historic",
  .summary = "the files bb.out and bbtrace of GCC 2.95's -a and -ax",
  .group = GROUP_OTHER,
  .synopsis = "[option...] PROGRAM [gmon.out]",
  .description
  = "Appends to bb.out, in the current folder, what GCC 2.95's run-time library wrote there: "
    "unknown names in bb.in, jumps between blocks, executions of blocks.  Writes bbtrace.gz, the "
    "addresses of all executed blocks; other threads than the first one get files with their "
    "number.  Without options it writes everything that the profile has.",
  .notes = "Addresses are those of gmon.out.  Source files have the names of their units.",
  .options = options,
  .run = run,
};
