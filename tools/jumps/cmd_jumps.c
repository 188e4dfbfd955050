/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof jumps: which way control went, how often; branches and loops. */
#include "config.h"

#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/decode/profile_trace.h"
#include "tools/jumps/jumps.h"

static void
usage (void)
{
  fputs (
      "Usage: bbprof jumps [option...] [PROGRAM] [gmon.out...]\n"
      "Shows how often control went from one basic block to another, how branches were decided, "
      "and how many\n"
      "iterations loops made.  Without names of profiles: gmon.out.  Several add up.\n"
      "\n"
      "  -n, --number N        so many rows of each table at most; 0: all (default 20)\n"
      "      --function NAME   only this function, or those that the pattern matches\n"
      "      --sort ORDER      count (default): the most first; function: as the code lies; ratio: "
      "the most\n"
      "                        certain branches first, and the loops with most iterations each "
      "time\n"
      "      --trace FILE      a trace that tells the iterations of loops each time (default: the "
      "profile's name\n"
      "                        and .bbt, if there is such a file)\n"
      "      --force           of another build of PROGRAM, too: functions and lines may be wrong\n"
      "      --json            for programs: all numbers, whole file names\n"
      "  -h, --help            this text\n"
      "\n"
      "Jumps: how often, exact; ratio: in how many of all cases a branch went this way, also ways "
      "that it never\n"
      "went; kind: next falls through, jump goes elsewhere, out leaves the function; address and "
      "source line of\n"
      "both blocks.  Loops: times entered; iterations in all; their mean.  An iteration begins "
      "with the loop's\n"
      "head; where this only finds that there is nothing more to do, it is none.  Least, most and "
      "spread: of a\n"
      "trace.  From function to function: call leads to a function's first block, back "
      "elsewhere.\n",
      stdout);
}

static bool
read_sort (const struct arguments *a, const char *argv0, enum jumps_sort *sort)
{
  static const char *const names[] = {
    [JUMPS_BY_COUNT] = "count", [JUMPS_BY_FUNCTION] = "function", [JUMPS_BY_RATIO] = "ratio"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (a->sort, names[i]) == 0)
      {
        *sort = (enum jumps_sort) i;
        return true;
      }
  fprintf (stderr, "%s: --sort wants count, function or ratio, not '%s'\n", argv0,
           visible (a->sort));
  return false;
}

static bool
read_files (const struct arguments *a, const char *argv0, struct model *m, struct error *err)
{
  bool ok = model_read (m, a->program, a->profiles, a->nprofiles,
                        &(struct symtab_choice) { .parts = true, .any_build = a->force }, err);
  warnings_print_beside (argv0, &m->warnings, ok && !a->json);
  if (ok && !m->edges.count)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      m->jumps.count
                          ? "no map of the code, as with ax=calls (bbprof historic shows its jumps)"
                          : "no counts of edges (they are in the sidecar beside the profile)");
  return ok;
}

static bool
read_trace (struct jumps *j, const struct arguments *a, const char *argv0, struct error *err)
{
  struct warnings warnings = { 0 };
  struct trace *trace = trace_open (a->trace, a->force, &warnings, err);
  bool ok = trace && jumps_add_trace (j, trace, err);
  warnings_print (argv0, &warnings);
  warnings_free (&warnings);
  trace_close (trace);
  return ok;
}

static bool
read_profile_trace (struct jumps *j, const char *argv0, const struct run *run, struct error *err)
{
  struct profile_trace beside;
  bool ok = (profile_trace_open (&beside, run, argv0) || error_no_memory (err))
            && (!beside.trace || jumps_add_trace (j, beside.trace, err));
  profile_trace_close (&beside);
  return ok;
}

static bool
read_traces (const struct arguments *a, const char *argv0, struct jumps *j, struct error *err)
{
  bool ok = true;
  if (a->trace)
    return read_trace (j, a, argv0, err);
  for (size_t i = 0; ok && i < j->model->nruns; i++)
    ok = read_profile_trace (j, argv0, &j->model->runs[i], err);
  return ok;
}

static bool
print (const struct arguments *a, const struct jumps *j, struct error *err)
{
  if (!a->json)
    warnings_show (stdout, &j->model->warnings);
  (a->json ? jumps_emit_json : jumps_emit_text) (stdout, j);
  return error_if_unwritten (stdout, err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  if (!arguments_parse (&a, "njfst", argc, argv))
    return COMMAND_USAGE;
  if (a.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  struct jumps_choice choice = { .function = a.function, .most = a.most };
  if (a.sort && !read_sort (&a, argv[0], &choice.sort))
    return COMMAND_USAGE;
  struct jumps jumps = { .program = a.program };
  bool ok = read_files (&a, argv[0], &model, err) && jumps_open (&jumps, &model, err)
            && read_traces (&a, argv[0], &jumps, err) && jumps_collect (&jumps, &choice, err)
            && print (&a, &jumps, err);
  jumps_free (&jumps);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_jumps = {
  .name = "jumps", .help = "how often control went from block to block; branches, loops", .run = run
};
