/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof check: is a profile within a budget, compared with a base?  The exit status answers, for
   automatic tests. */
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/check/check_emit.h"
#include "tools/check/check_runs.h"
#include "tools/command.h"
#include "tools/compare/baseline.h"
#include "tools/compare/compare_arguments.h"
#include "tools/program/profile_program.h"

/* Files.  */

/* Prints the contents of a file. */
typedef void print_function (FILE *, const void *);

static void
print_baseline (FILE *out, const void *set)
{
  baseline_print (out, set);
}

static void
print_junit (FILE *out, const void *check)
{
  check_emit_junit (out, check);
}

static void
print_junit_error (FILE *out, const void *err)
{
  check_emit_junit_error (out, err);
}

static bool
write_file (const char *name, print_function *print, const void *what, struct error *err)
{
  struct output o;
  bool ok = output_open (&o, name, "", err);
  if (ok)
    print (o.file, what);
  ok = ok && output_finish (&o, err) && output_publish (&o, err);
  output_close (&o);
  return ok;
}

/* Comparing.  */

/* Does the function distinguish programs?  It ran, and is not main. */
static bool
is_telling (const struct run_set_function *f)
{
  return f->calls.sum + f->executions.sum > 0 && strcmp (f->symbol, "main") != 0;
}

static bool
are_of_one_program (const struct run_set *before, const struct run_set *now)
{
  size_t telling = 0;
  for (const struct run_set_function *f = before->functions; f; f = f->hh.next)
    {
      if (is_telling (f) && is_telling (run_set_find (now, f)))
        return true;
      telling += is_telling (f);
    }
  return telling == 0;
}

static bool
read_sides (struct run_set *before, struct run_set *now, const struct compare_arguments *a,
            const char *name, struct error *err)
{
  if (!run_set_read (before, name, a->force, a->before, a->nbefore, err)
      || !run_set_read (now, name, a->force, a->now, a->nnow, err))
    return false;
  return are_of_one_program (before, now)
         || error_set (err, a->now[0], ERROR_NO_OFFSET,
                       "no function of the base (%.120s) is in this profile: another program?",
                       before->program);
}

static bool
print (const struct compare_arguments *a, const struct check *check, const struct style *style,
       struct error *err)
{
  if (a->json)
    check_emit_json (stdout, check);
  else
    check_emit_text (stdout, check, a->most, style);
  return error_if_unwritten (stdout, err)
         && (!a->junit || write_file (a->junit, print_junit, check, err));
}

static enum command_result
compare (const struct compare_arguments *a, const struct style *style, const char *name,
         struct error *err)
{
  const enum command_result results[]
      = { [CHECK_WITHIN] = COMMAND_DONE,
          [CHECK_NOT_PROVEN] = a->strict ? COMMAND_NO : COMMAND_DONE,
          [CHECK_OVER] = COMMAND_NO,
          [CHECK_UNSURE] = COMMAND_UNSURE };
  struct budget budget = { 0 };
  struct run_set before = { 0 }, now = { 0 };
  struct diff diff = { 0 };
  struct check check = { 0 };
  bool ok = (!a->budget || budget_read (&budget, a->budget, err))
            && read_sides (&before, &now, a, name, err)
            && (a->budget || budget_default (&budget, before.has_executions, before.has_calls)
                || error_no_memory (err))
            && ((diff_make (&diff, &before, &now) && check_make (&check, &diff, &budget, a->strict))
                || error_no_memory (err))
            && print (a, &check, style, err);
  enum command_result result = ok ? results[check.verdict] : COMMAND_UNSURE;
  struct error ignored;
  if (!ok && a->junit) /* replaces the results of an earlier run */
    write_file (a->junit, print_junit_error, err, &ignored);
  if (ok && result == COMMAND_UNSURE)
    error_set (err, NULL, ERROR_NO_OFFSET, "%zu of %zu rules cannot be judged", check.unsure,
               check.count);
  check_free (&check);
  diff_free (&diff);
  run_set_free (&now);
  run_set_free (&before);
  budget_free (&budget);
  return result;
}

static enum command_result
save (const struct compare_arguments *a, const char *name, struct error *err)
{
  struct run_set set = { 0 };
  bool ok = run_set_read (&set, name, a->force, a->words, a->nwords, err)
            && write_file (a->save, print_baseline, &set, err);
  run_set_free (&set);
  return ok ? COMMAND_DONE : COMMAND_UNSURE;
}

/* The command line.  */

/* Prints what is missing of BASE PROGRAM [gmon.out...]; false: nothing. */
static bool
refuse_words (const struct compare_arguments *a, const char *name)
{
  bool sides = a->nbefore > 0 || a->nnow > 0;
  const char *first = a->nwords > 0 ? a->words[0] : NULL;
  if (!sides && first && (a->nwords == 1 || profile_is_program (first)))
    fprintf (stderr,
             "%s: BASE is missing: BASE PROGRAM [gmon.out...]; make one of an accepted run: "
             "%s --save base.json PROGRAM\n",
             name, name);
  else if (!sides && first && profile_is_one (a->words[1]))
    fprintf (stderr, "%s: %s is a profile: PROGRAM comes between BASE and the profiles\n", name,
             visible (a->words[1]));
  else if (sides || !first)
    fprintf (stderr,
             "%s: a base and a profile are needed: BASE PROGRAM [gmon.out...], or --old PROGRAM "
             "OLD --new PROGRAM NEW\n",
             name);
  else
    return false;
  return true;
}

/* The operands of both sides.  Of BASE PROGRAM [gmon.out...], PROGRAM belongs to both. */
static bool
find_sides (struct compare_arguments *a, const char *name)
{
  if (a->nbefore > 0 && a->nnow > 0 && a->nwords == 0)
    return true;
  if (refuse_words (a, name))
    return false;
  a->before[a->nbefore++] = a->words[1];
  a->before[a->nbefore++] = a->words[0];
  for (int i = 1; i < a->nwords; i++)
    a->now[a->nnow++] = a->words[i];
  return true;
}

static bool
find_program (const struct compare_arguments *a, const char *name)
{
  if (a->nwords > 0 && a->nbefore == 0 && a->nnow == 0 && !a->budget && !a->junit && !a->json
      && !a->strict)
    return true;
  fprintf (stderr,
           a->nwords == 0
               ? "%s: PROGRAM is missing: bbprof check --save BASE PROGRAM [gmon.out...]\n"
               : "%s: --save takes PROGRAM [gmon.out...] only, and no option of a "
                 "comparison\n",
           name);
  return false;
}

/* The operands become those given (a base, or none) and the results of the runs. */
static bool
use_runs (struct compare_arguments *a, const struct check_runs *runs)
{
  char **words = calloc ((size_t) runs->nwords + 2, sizeof *words),
       **now = calloc ((size_t) runs->nwords + 1, sizeof *now);
  char **before = calloc (3, sizeof *before);
  if (!words || !now || !before)
    {
      free (words);
      free (now);
      free (before);
      return false;
    }
  memcpy (words, a->words, (size_t) a->nwords * sizeof *words);
  memcpy (words + a->nwords, runs->words, (size_t) runs->nwords * sizeof *words);
  compare_arguments_free (a);
  a->words = words;
  a->now = now;
  a->before = before;
  a->nwords += runs->nwords;
  return true;
}

static bool
make_runs (struct compare_arguments *a, struct check_runs *runs, struct error *err)
{
  return check_runs_make (runs, a->command, a->runs, err)
         && (use_runs (a, runs) || error_no_memory (err));
}

/* --runs needs a program behind --, and takes a base or --save before it. */
static bool
find_command (const struct compare_arguments *a, const char *name)
{
  if (a->runs == 0
      || (a->command && a->nbefore == 0 && a->nnow == 0 && a->nwords == (a->save ? 0 : 1)))
    return true;
  fprintf (stderr,
           "%s: --runs needs a base or --save=FILE, then -- and the program with its arguments\n",
           name);
  return false;
}

/* Saves or compares; runs of --runs are finished. */
static enum command_result
work (struct compare_arguments *a, const struct style *style, const char *name, struct error *err)
{
  if (a->save && find_program (a, name))
    return save (a, name, err);
  return !a->save && find_sides (a, name) ? compare (a, style, name, err) : COMMAND_USAGE;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  static struct check_runs runs; /* errors refer to its files */
  struct compare_arguments a;
  struct style style;
  enum command_result result = COMMAND_USAGE;
  if (compare_arguments_parse (&a, &command_check, argc, argv) && find_command (&a, argv[0]))
    {
      bool ok = a.runs == 0 || make_runs (&a, &runs, err);
      style_choose (&style, a.colour);
      result = ok ? work (&a, &style, argv[0], err) : COMMAND_UNSURE;
      check_runs_remove (&runs);
    }
  compare_arguments_free (&a);
  return result;
}

static const struct command_option options[] = {
  RUN_SET_OPTIONS,
  { COMPARE_BUDGET, "budget", "FILE", "read the rules from FILE", NULL },
  { COMPARE_STRICT, "strict", NULL, "treat 'not proven' as over budget", NULL },
  { COMPARE_SAVE, "save", "FILE", "write a baseline, for comparisons without the program", NULL },
  { COMPARE_RUNS, "runs", "N",
    "run PROGRAM N times, without its output; a base whose counts vary needs 5 or more", NULL },
  { COMPARE_JUNIT, "junit", "FILE", "also write the results as JUnit XML", NULL },
  NUMBER_OPTION ("functions of each rule and verdict"),
  COLOR_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_check = {
  .name = "check",
  .summary = "is a profile within a budget?  For automatic tests",
  .group = GROUP_COMPARE,
  .synopsis = "[option...] BASE PROGRAM [gmon.out...]\n"
              "[option...] --old PROGRAM [gmon.out...] --new PROGRAM [gmon.out...]\n"
              "--save=FILE PROGRAM [gmon.out...]\n"
              "[option...] --runs=N {BASE | --save=FILE} -- PROGRAM [argument...]",
  .description
  = "Checks PROGRAM's profile against a budget, compared with BASE: a baseline of --save, or "
    "another profile of PROGRAM.  Several profiles of a run set are several runs.  With --runs, "
    "PROGRAM is run N times now.\n\n"
    "A base of several runs shows which counts vary by themselves.  Such counts, and times, are "
    "over budget only if the difference is not chance; otherwise they are 'not proven'.  All "
    "other counts are compared exactly.",
  .notes
  = "A budget has one rule on each line; # begins a comment:\n"
    "  total executions +0.1%\n"
    "  hot 2% executions +0.5%\n"
    "  function ns::* calls +100\n"
    "  function parse work 42\n"
    "  total time +5% p<0.01\n"
    "Default: total executions +0.1%, hot executions +0.1%; of a base without counts: total time "
    "+5%, hot 5% time +10%.\n\n"
    "Exit status: 0 within budget, or not proven; 1 over budget; 2 cannot be judged (wrong "
    "command line, unreadable files, missing counts).",
  .options = options,
  .prints_page = true,
  .run = run,
};
