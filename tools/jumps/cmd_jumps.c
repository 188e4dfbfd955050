/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof jumps: which way control went, how often; branches and loops. */
#include "config.h"

#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/decode/profile_trace.h"
#include "tools/jumps/jumps.h"
#include "tools/view/pager.h"

static bool
read_files (const struct arguments *a, const char *argv0, struct model *m, struct error *err)
{
  bool ok = model_read (m, a->program, a->profiles, a->nprofiles,
                        &(struct symtab_choice) { .parts = true, .any_build = a->force }, err);
  warnings_print_beside (argv0, &m->warnings, ok && !a->json);
  if (ok && !m->edges.count)
    return error_set (
        err, a->profiles[0], ERROR_NO_OFFSET,
        m->jumps.count
            ? "no map of the code, as with ax=calls (bbprof historic shows its jumps)"
            : "no counts of edges (compile with -fplugin=bbprof; they are in the sidecar)");
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
  struct style style;
  if (a->json)
    jumps_emit_json (stdout, j);
  else
    {
      style_choose (&style, a->color);
      pager_begin (!a->no_pager);
      warnings_show (stdout, &j->model->warnings);
      jumps_emit_text (stdout, j, &style);
    }
  return pager_end (err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_jumps, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  struct jumps_choice choice = {
    .function = a.filter, .object = a.object, .sort = (enum jumps_sort) a.sort, .most = a.most
  };
  struct jumps jumps = { .program = a.program };
  bool ok = read_files (&a, argv[0], &model, err) && jumps_open (&jumps, &model, err)
            && read_traces (&a, argv[0], &jumps, err) && jumps_collect (&jumps, &choice, err)
            && print (&a, &jumps, err);
  jumps_free (&jumps);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  NUMBER_OPTION ("rows of each table"),
  FILTER_OPTION ("functions"),
  OBJECT_OPTION ("functions"),
  { OPTION_FILTER, "function", "PATTERN", NULL, NULL },
  { OPTION_SORT, "sort", "ORDER",
    "count (default): the most frequent first; function: in the order of the code; ratio: the "
    "most predictable branches and the loops with most iterations first",
    "count function ratio" },
  { ARGUMENT_TRACE, "trace", "FILE",
    "take the iterations of single visits to loops from this trace (default: the profile's name "
    "and .bbt, if there is such a file)",
    NULL },
  COLOR_OPTION,
  NO_PAGER_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_jumps = {
  .name = "jumps",
  .summary = "branches, loops and jumps between functions, with counts",
  .group = GROUP_TRACE,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]",
  .description
  = "Shows how often control went from one basic block to another, which way branches went, and "
    "how many iterations loops made.  Several profiles are added up.",
  .notes
  = "Jumps: count, exact; ratio: the share of this way among all ways out of the block, also of "
    "ways that were never taken; kind: 'next' falls through, 'jump' goes elsewhere, 'out' leaves "
    "the function; address and source line of both blocks.\n"
    "Loops: entries; iterations; their mean.  An iteration begins with the loop head; a visit of "
    "the head that ends the loop is not counted.  Least, most and spread need a trace.\n"
    "Between functions: 'call' leads to a function's first block, 'back' elsewhere.",
  .options = options,
  .prints_page = true,
  .run = run,
};
