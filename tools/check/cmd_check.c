/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof check: is a profile within a budget, compared with a base?  For automatic tests, so the
   status says it. */
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "common/visible.h"
#include "tools/check/check_emit.h"
#include "tools/check/check_runs.h"
#include "tools/command.h"
#include "tools/compare/baseline.h"
#include "tools/compare/compare_arguments.h"

static void
usage (void)
{
  fputs ("Usage: bbprof check [option...] BASE PROGRAM [gmon.out...]\n"
         "       bbprof check [option...] --old PROGRAM [gmon.out...] --new PROGRAM [gmon.out...]\n"
         "       bbprof check --save FILE PROGRAM [gmon.out...]\n"
         "       bbprof check [option...] --runs N {BASE | --save FILE} -- PROGRAM [argument...]\n"
         "Says whether PROGRAM's profile is within a budget, compared with BASE: what --save has "
         "written, or another profile\n"
         "of PROGRAM.  Several profiles of a side are several runs.\n"
         "With --runs, PROGRAM is run N times now.  From a base of several runs it is known what "
         "varies by itself: such counts, as\n"
         "times, are over budget only if that is not chance, else not proven; all others are "
         "compared exactly.\n"
         "Status: 0 within the budget, or not proven; 1 over it; 2 it cannot be told (wrong usage, "
         "files that cannot be read, counts\n"
         "missing).\n"
         "\n"
         "      --budget FILE   the rules, one on each line, # begins a comment:\n"
         "                        total executions +0.1%\n"
         "                        hot 2% executions +0.5%\n"
         "                        function ns::* calls +100\n"
         "                        function parse work 42\n"
         "                        total time +5% p<0.01\n"
         "                      default: total executions +0.1%, hot executions +0.1%; of a base "
         "without counts:\n"
         "                      total time +5%, hot 5% time +10%\n"
         "      --strict        what is not proven counts as over\n"
         "      --save FILE     writes a baseline, to compare with later without the program\n"
         "      --runs N        runs the program itself, without its output; 5 or more for a base, "
         "if its counts vary\n"
         "      --junit FILE    writes the results as JUnit's XML\n"
         "      --force         of another build of PROGRAM, too: functions may be wrong\n"
         "      --json          for programs\n"
         "      --color=WHEN    auto (default), always or never\n"
         "  -h, --help          this text\n",
         stdout);
}

/* Files.  */

/* What a file is to hold. */
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

/* Does it tell one program from another? */
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
    check_emit_text (stdout, check, style);
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
  if (!ok && a->junit) /* what an earlier run has left there must not pass for this one's */
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

/* Both sides have their words; of BASE PROGRAM [gmon.out...], PROGRAM is that of both. */
static bool
find_sides (struct compare_arguments *a, const char *name)
{
  if (a->nbefore > 0 && a->nnow > 0 && a->nwords == 0)
    return true;
  if (a->nbefore > 0 || a->nnow > 0 || a->nwords < 2)
    {
      fprintf (stderr,
               "%s: which profiles?  BASE PROGRAM [gmon.out...], or --old and --new, each with "
               "program and profiles\n",
               name);
      return false;
    }
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
  fprintf (stderr, "%s: --save wants PROGRAM [gmon.out...], and nothing to compare it with\n",
           name);
  return false;
}

/* The words are a base, or none, and what the runs give. */
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

/* --runs has a program behind --, and nothing but a base before that. */
static bool
find_command (const struct compare_arguments *a, const char *name)
{
  if (a->runs == 0
      || (a->command && a->nbefore == 0 && a->nnow == 0 && a->nwords == (a->save ? 0 : 1)))
    return true;
  fprintf (stderr,
           "%s: --runs wants a base or --save, then -- and the program with its arguments\n", name);
  return false;
}

/* What the command is about; the runs that it wants are there. */
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
  static struct check_runs runs; /* errors name its files */
  struct compare_arguments a;
  struct style style;
  enum command_result result = COMMAND_USAGE;
  if (compare_arguments_parse (&a, "cbuwrS", argc, argv))
    {
      if (a.help)
        {
          usage ();
          result = COMMAND_DONE;
        }
      else if (!style_choose (&style, a.colour))
        fprintf (stderr, "%s: --color wants auto, always or never, not '%s'\n", argv[0],
                 visible (a.colour));
      else if (find_command (&a, argv[0]))
        {
          bool ok = a.runs == 0 || make_runs (&a, &runs, err);
          result = ok ? work (&a, &style, argv[0], err) : COMMAND_UNSURE;
          check_runs_remove (&runs);
        }
    }
  compare_arguments_free (&a);
  return result;
}

const struct command command_check
    = { .name = "check", .help = "is a profile within a budget?  The status says it", .run = run };
