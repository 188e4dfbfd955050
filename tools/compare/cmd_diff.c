/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof diff: what changed between two profiles, or two builds. */
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/command.h"
#include "tools/compare/compare_arguments.h"
#include "tools/compare/diff_emit.h"
#include "tools/program/profile_program.h"

static void
usage (void)
{
  fputs (
      "Usage: bbprof diff [option...] [PROGRAM] OLD NEW\n"
      "       bbprof diff [option...] --old PROGRAM [gmon.out...] --new PROGRAM [gmon.out...]\n"
      "Shows which functions changed between two profiles: executions of their blocks and calls, "
      "exactly; executions\n"
      "per call, which change if a function does something else, not if it is called more often; "
      "their own time,\n"
      "with the probability that so great a difference is chance.  The programs may be two "
      "builds.\n"
      "Without PROGRAM: the one of each profile.\n"
      "Each profile of a side is a run, with those of forked children; means of runs are compared. "
      " A baseline, which\n"
      "bbprof check --save writes, may stand for a program and its profiles, or for a profile.\n"
      "\n"
      "  -n, --number N      so many functions at most; 0: all that changed (default 20)\n"
      "      --filter NAME   of this function only, or of those that the pattern matches\n"
      "      --threshold P   that changed by P percent at least\n"
      "      --sort ORDER    executions (default), calls, work (per call) or time: what changed it "
      "most comes first\n"
      "      --color=WHEN    auto (default), always or never\n"
      "      --force         of another build of PROGRAM, too: functions and lines may be wrong\n"
      "      --json          for programs\n"
      "  -h, --help          this text\n"
      "\n"
      "Columns: executions now, and how much more; calls; executions per call; seconds now; p: the "
      "probability that\n"
      "some of all these times seems so different by chance.\n",
      stdout);
}

static bool
parse_order (const char *word, enum metric *order)
{
  for (int m = 0; m < METRICS; m++)
    if (strcmp (word, metric_names[m]) == 0)
      {
        *order = (enum metric) m;
        return true;
      }
  return false;
}

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
  *choice
      = (struct diff_choice) { .pattern = a->filter, .order = METRIC_EXECUTIONS, .most = a->most };
  if (a->sort && !parse_order (a->sort, &choice->order))
    fprintf (stderr, "%s: --sort wants executions, calls, work or time, not '%s'\n", name,
             visible (a->sort));
  else if (a->threshold && !parse_percent (a->threshold, &choice->threshold))
    fprintf (stderr, "%s: --threshold wants a percentage, not '%s'\n", name,
             visible (a->threshold));
  else if (!style_choose (style, a->colour))
    fprintf (stderr, "%s: --color wants auto, always or never, not '%s'\n", name,
             visible (a->colour));
  else
    return true;
  return false;
}

/* OLD NEW: the program of each is the one that its sidecar names. */
static bool
find_programs (struct compare_arguments *a, const char *name)
{
  struct error err;
  a->before[a->nbefore++] = profile_program (a->words[0], &err);
  a->now[a->nnow++] = a->before[0] ? profile_program (a->words[1], &err) : NULL;
  a->before[a->nbefore++] = a->words[0];
  a->now[a->nnow++] = a->words[1];
  if (!a->now[0])
    error_print (name, &err);
  return a->now[0];
}

/* Both sides have their words; of PROGRAM OLD NEW, each gets two. */
static bool
find_sides (struct compare_arguments *a, const char *name)
{
  if (a->nbefore > 0 && a->nnow > 0 && a->nwords == 0)
    return true;
  if (a->nbefore == 0 && a->nnow == 0 && a->nwords == 2 && profile_is_one (a->words[0])
      && profile_is_one (a->words[1]))
    return find_programs (a, name);
  if (a->nbefore > 0 || a->nnow > 0 || a->nwords != 3)
    {
      fprintf (stderr,
               "%s: which profiles?  PROGRAM OLD NEW, or --old and --new, each with program and "
               "profiles\n",
               name);
      return false;
    }
  a->before[a->nbefore++] = a->now[a->nnow++] = a->words[0];
  a->before[a->nbefore++] = a->words[1];
  a->now[a->nnow++] = a->words[2];
  return true;
}

static bool
print (const struct compare_arguments *a, const struct diff *d, const struct style *style,
       struct error *err)
{
  if (a->json)
    diff_emit_json (stdout, d);
  else
    diff_emit_text (stdout, d, style);
  return error_if_unwritten (stdout, err);
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
  if (compare_arguments_parse (&a, "nftsc", argc, argv))
    {
      if (a.help)
        {
          usage ();
          result = COMMAND_DONE;
        }
      else if (find_sides (&a, argv[0]) && choose (&choice, &style, &a, argv[0]))
        result = compare (&a, &choice, &style, argv[0], err) ? COMMAND_DONE : COMMAND_FAILED;
    }
  compare_arguments_free (&a);
  return result;
}

const struct command command_diff
    = { .name = "diff", .help = "what changed between two profiles, or builds", .run = run };
