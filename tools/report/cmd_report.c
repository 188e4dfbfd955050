/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof report: the run as a whole, its objects, its functions, who called them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/raw/counts_report.h"
#include "tools/report/report_emit.h"
#include "tools/report/report_caller_shares.h"
#include "tools/report/report_stacks.h"
#include "tools/report/report_tree.h"
#include "tools/view/pager.h"

enum { FILE_COLUMNS = 160 }; /* width of a page that goes to no terminal */

static void
usage (void)
{
  fputs (
      "Usage: bbprof report [option...] [PROGRAM] [gmon.out...]\n"
      "       bbprof report --counts [--words BITS] [PROGRAM [prof.out]]\n"
      "Shows when and how long PROGRAM ran, what of the profile was lost, if anything, the time in "
      "the program\n"
      "and in each shared library, the functions that used most time themselves, with exact calls, "
      "and who\n"
      "called them.  Without names of profiles: gmon.out.  Several add up.  Without PROGRAM: the "
      "one of the profile.\n"
      "\n"
      "  -n, --number N         so many functions at most; 0: all that ran (default 20)\n"
      "      --sort ORDER       self (default), total, calls, nspercall: the most first; name\n"
      "      --filter PATTERN   only functions of that name\n"
      "      --object PATTERN   only functions of that library or program\n"
      "      --callers N        callers and callees of so many functions; 0: all (default 5)\n"
      "      --no-callers       of none\n"
      "      --threads PATTERN  only what these threads ran: by name, number or tid; without "
      "counts, which are of all\n"
      "      --tree             who called whom, from the threads down, with the time that was "
      "measured\n"
      "      --depth N          so many calls deep at most; 0: 1000 (default 40)\n"
      "      --no-inlines       without the frames that the compiler has inlined\n"
      "      --no-fold          each level of recursion in a row of its own\n"
      "      --full-names       however long they are\n"
      "      --color WHEN       auto (default: on a terminal, without NO_COLOR), always, never\n"
      "      --no-pager         on a terminal: print it, as if it were none\n"
      "      --json             for programs\n"
      "      --force            of another build of PROGRAM, too: functions and lines may be "
      "wrong\n"
      "      --counts           only \"count name\", the most samples first, of a file of raw "
      "addresses (or a gmon.out);\n"
      "                         PROGRAM is a.out, the file prof.out, if not said\n"
      "      --words BITS       with --counts: an address has 32 or 64 (default: as in PROGRAM)\n"
      "  -h, --help             this text\n"
      "\n"
      "--threads and --tree need samples with stacks (bbprof record).\n"
      "\n"
      "Columns: share of the sampled time; the time itself; with what it called (~: an assumption "
      "is in it);\n"
      "calls, exact; own time of one call in nanoseconds; executions of blocks, exact.  Callers: "
      "their share of\n"
      "the function's total time by the number of calls; if there is a trace, or stacks, as "
      "measured.  Callees:\n"
      "the part of the function's total time.  Of samples with stacks all times are measured, and "
      "none assumed.\n",
      stdout);
}

static bool
read_sort (const struct arguments *a, const char *argv0, enum report_sort *sort)
{
  static const char *const names[] = { [REPORT_BY_SELF] = "self",
                                       [REPORT_BY_TOTAL] = "total",
                                       [REPORT_BY_CALLS] = "calls",
                                       [REPORT_BY_NS_PER_CALL] = "nspercall",
                                       [REPORT_BY_NAME] = "name" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!a->sort || strcmp (a->sort, names[i]) == 0)
      {
        *sort = (enum report_sort) i;
        return true;
      }
  fprintf (stderr, "%s: --sort wants self, total, calls, nspercall or name, not '%s'\n", argv0,
           visible (a->sort));
  return false;
}

static bool
read_style (const struct arguments *a, const char *argv0, struct style *style)
{
  if (!style_choose (style, a->color))
    {
      fprintf (stderr, "%s: --color wants auto, always or never, not '%s'\n", argv0,
               visible (a->color));
      return false;
    }
  if (a->full_names)
    style->columns = 0;
  else if (style->columns == 0)
    style->columns = FILE_COLUMNS;
  return true;
}

static bool
print_page (const struct arguments *a, const struct report_table *t, const struct style *style,
            struct error *err)
{
  char *text = NULL;
  size_t size;
  FILE *page = open_memstream (&text, &size);
  bool ok = page && report_emit_text (page, t, style, a->callers);
  ok = page && fclose (page) == 0 && ok;
  ok = (ok || error_no_memory (err)) && pager_show (text, size, !a->no_pager, err);
  free (text);
  return ok;
}

static bool
print (const struct arguments *a, const struct report_table *t, const struct style *style,
       struct error *err)
{
  if (!a->json)
    return print_page (a, t, style, err);
  return (report_emit_json (stdout, t) || error_no_memory (err))
         && error_if_unwritten (stdout, err);
}

static bool
build (struct report_table *t, const struct arguments *a, const struct report_choice *choice,
       const char *argv0, struct error *err)
{
  const struct model *m = t->model;
  return callgraph_build (&t->graph, &m->symtab, &m->profile, err)
         && blocks_build (&t->blocks, &m->objects, &m->symtab, &m->profile, err)
         && report_time (t, a->threads, err)
         && ((share_reliability_build (&t->reliability, &t->graph, &t->blocks, m)
              && report_count (t) && (a->callers == 0 || report_measure (t, argv0)))
             || error_no_memory (err))
         && report_make (t, choice, err)
         && (!t->shows_tree || report_make_tree (t, a->depth) || error_no_memory (err));
}

static enum command_result
run_counts (const struct arguments *a, const char *argv0, struct error *err)
{
  if (a->nprofiles > 1)
    {
      fprintf (stderr, "%s: --counts wants one file\n", argv0);
      return COMMAND_USAGE;
    }
  return counts_report (argv0, a->program, a->profiles[0], a->words, a->force, err)
             ? COMMAND_DONE
             : COMMAND_FAILED;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct style style;
  struct model model = { 0 };
  if (!arguments_parse (&a, "njsFOWNKUGREDCZIL", argc, argv))
    return COMMAND_USAGE;
  if (a.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  if (a.counts)
    return run_counts (&a, argv[0], err);
  if (a.words)
    {
      fprintf (stderr, "%s: --words is for --counts\n", argv[0]);
      return COMMAND_USAGE;
    }
  struct report_choice choice = { .function = a.filter, .object = a.object, .most = a.most };
  if (!read_sort (&a, argv[0], &choice.sort) || !read_style (&a, argv[0], &style))
    return COMMAND_USAGE;
  struct report_table table = { .program = a.program,
                                .model = &model,
                                .most_threads = a.most,
                                .shows_tree = a.tree,
                                .no_inlines = a.no_inlines,
                                .no_fold = a.no_fold,
                                .tells_apart = !a.json };
  bool ok = model_read_stacks (&model, a.program, a.profiles, a.nprofiles,
                               &(struct symtab_choice) { .parts = true, .any_build = a.force },
                               err);
  warnings_print_beside (argv[0], &model.warnings, ok && !a.json);
  ok = ok && build (&table, &a, &choice, argv[0], err) && print (&a, &table, &style, err);
  report_free (&table);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_report = {
  .name = "report", .help = "the run, its shared libraries and its functions in short", .run = run
};
