/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof diff: what changed between two profiles, or two builds. */
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/compare/compare_arguments.h"
#include "tools/compare/diff_emit.h"
#include "tools/view/pager.h"

static bool
parse_percent (const char *text, double *percent)
{
  char *end;
  *percent = strtod (text, &end);
  return end != text && strcmp (end, *end == '%' ? "%" : "") == 0 && *percent >= 0;
}

static bool
choose (struct diff_choice *choice, struct style *style, const struct compare_arguments *a,
        const char *name)
{
  *choice = (struct diff_choice) {
    .pattern = a->filter, .object = a->object, .order = (enum metric) a->sort, .most = a->most
  };
  style_choose (style, a->colour);
  if (!a->threshold || parse_percent (a->threshold, &choice->threshold))
    return true;
  fprintf (stderr, "%s: --threshold: '%s' is not a percentage\n", name, visible (a->threshold));
  return false;
}

static bool
print (const struct compare_arguments *a, const struct diff *d, const struct style *style,
       struct error *err)
{
  if (a->json)
    diff_emit_json (stdout, d);
  else
    {
      pager_begin (!a->no_pager);
      diff_emit_text (stdout, d, style);
    }
  return pager_end (err);
}

static bool
compare (const struct compare_arguments *a, const struct diff_choice *choice,
         const struct style *style, const char *name, struct error *err)
{
  struct run_set before = { 0 }, now = { 0 };
  struct diff diff = { 0 };
  bool ok = run_set_read (&before, name, a->force, a->before, a->nbefore, err)
            && run_set_read (&now, name, a->force, a->now, a->nnow, err)
            && (diff_make (&diff, &before, &now) || error_no_memory (err))
            && diff_choose (&diff, choice, err) && print (a, &diff, style, err);
  diff_free (&diff);
  run_set_free (&now);
  run_set_free (&before);
  return ok;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct compare_arguments a;
  struct diff_choice choice;
  struct style style;
  enum command_result result = COMMAND_USAGE;
  if (compare_arguments_parse (&a, &command_diff, argc, argv)
      && choose (&choice, &style, &a, argv[0]))
    result = compare_arguments_sides (&a, argv[0], err);
  if (result == COMMAND_DONE && !compare (&a, &choice, &style, argv[0], err))
    result = COMMAND_FAILED;
  compare_arguments_free (&a);
  return result;
}

static const struct command_option options[] = {
  RUN_SET_OPTIONS,
  NUMBER_OPTION ("functions"),
  { OPTION_SORT, "sort", "ORDER",
    "the greatest change first, of: executions (default), calls, work (executions per call) or "
    "time",
    "executions calls work time" },
  FILTER_OPTION ("functions"),
  OBJECT_OPTION ("functions"),
  { COMPARE_THRESHOLD, "threshold", "P", "show only changes of P percent or more", NULL },
  COLOR_OPTION,
  NO_PAGER_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_diff = {
  .name = "diff",
  .summary = "what changed between two profiles, or two builds",
  .group = GROUP_COMPARE,
  .synopsis = "[option...] [PROGRAM] OLD NEW\n"
              "[option...] --old PROGRAM [gmon.out...] --new PROGRAM [gmon.out...]",
  .description
  = "Shows which functions changed between two profiles: executions of their blocks and calls, "
    "exactly; executions per call, which do not change if a function is only called more often; "
    "self time, with the probability that the difference is chance.  The two programs may be two "
    "builds.  Without PROGRAM: the one that each profile names.\n\n"
    "Each profile of a run set is one run, with its forked children; means of runs are compared.  "
    "A baseline of bbprof check --save may replace a profile, or a program and its profiles.",
  .notes
  = "Columns: executions now, and the change; calls; executions per call; seconds now; p: the "
    "probability that chance alone makes at least one of these times differ so much.",
  .options = options,
  .prints_page = true,
  .run = run,
};
