/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof report: the run as a whole, its objects, its functions and their callers. */
#include "config.h"

#include <stdlib.h>

#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/ranks/rank_report.h"
#include "tools/raw/counts_report.h"
#include "tools/report/report_emit.h"
#include "tools/report/report_caller_shares.h"
#include "tools/report/report_stacks.h"
#include "tools/report/report_tree.h"
#include "tools/view/pager.h"

enum {
  FILE_COLUMNS = 160, /* width of a page that does not go to a terminal */
  FLAME_COLUMNS = 80  /* the same of a flame graph */
};

static void
read_style (const struct arguments *a, struct style *style)
{
  style_choose (style, a->color);
  if (a->flame)
    style->columns = style->columns > 0 ? style->columns : FLAME_COLUMNS;
  else if (a->full_names)
    style->columns = 0;
  else if (style->columns == 0)
    style->columns = FILE_COLUMNS;
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
make_flame (struct report_table *t, struct error *err)
{
  t->flame_choice.threads = t->some_threads ? t->wanted_threads : NULL;
  return flame_tree_make (&t->flame, t->model, &t->flame_choice, err);
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
         && (!t->shows_tree || report_make_tree (t, a->depth) || error_no_memory (err))
         && (!t->shows_flame || make_flame (t, err));
}

static enum command_result
run_counts (const struct arguments *a, const char *argv0, struct error *err)
{
  if (a->nprofiles > 1)
    {
      fprintf (stderr, "%s: --counts takes one file\n", argv0);
      return COMMAND_USAGE;
    }
  return counts_report (argv0, a->program, a->profiles[0], a->words, a->force, err)
             ? COMMAND_DONE
             : COMMAND_FAILED;
}

/* False: a line on stderr says why not. */
static bool
fits_flame (const struct arguments *a, const char *argv0)
{
  const char *wrong = a->flame && a->tree     ? "choose --tree or --flame"
                      : a->flame && a->json   ? "--flame is text; without it --json has the stacks"
                      : a->ascii && !a->flame ? "--ascii needs --flame"
                                              : NULL;
  if (wrong)
    fprintf (stderr, "%s: %s\n", argv0, wrong);
  return !wrong;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct style style;
  struct model model = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_report, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  if (a.counts)
    return run_counts (&a, argv[0], err);
  if (a.words)
    {
      fprintf (stderr, "%s: --words needs --counts\n", argv[0]);
      return COMMAND_USAGE;
    }
  if (!fits_flame (&a, argv[0]))
    return COMMAND_USAGE;
  if (a.by != SIZE_MAX && a.ranks == SIZE_MAX)
    {
      fprintf (stderr, "%s: --by needs --ranks\n", argv[0]);
      return COMMAND_USAGE;
    }
  if (a.ranks != SIZE_MAX)
    return rank_report (&a, argv[0], err) ? COMMAND_DONE : COMMAND_FAILED;
  struct report_choice choice = {
    .function = a.filter, .object = a.object, .sort = (enum report_sort) a.sort, .most = a.most
  };
  /* The flame graph has all functions, and marks the chosen ones. */
  const struct report_choice all = { .most = a.most };
  read_style (&a, &style);
  struct report_table table = { .program = a.program,
                                .model = &model,
                                .most_threads = a.most,
                                .shows_tree = a.tree,
                                .shows_flame = a.flame,
                                .flame_choice = { .no_inlines = a.no_inlines,
                                                  .no_fold = a.no_fold,
                                                  .function = a.filter,
                                                  .object = a.object,
                                                  .depth = a.depth,
                                                  .ascii = a.ascii },
                                .no_inlines = a.no_inlines,
                                .no_fold = a.no_fold,
                                .tells_apart = !a.json };
  bool ok = model_read_stacks (&model, a.program, a.profiles, a.nprofiles,
                               &(struct symtab_choice) { .parts = true,
                                                         .any_build = a.force,
                                                         .frames = (enum frames_shown) a.frames },
                               err);
  warnings_print_beside (argv[0], &model.warnings, ok && !a.json);
  ok = ok && build (&table, &a, a.flame ? &all : &choice, argv[0], err)
       && print (&a, &table, &style, err);
  report_free (&table);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  NUMBER_OPTION ("functions"),
  { OPTION_SORT, "sort", "ORDER", "self (default), total, calls, nspercall or name",
    "self total calls nspercall name" },
  FILTER_OPTION ("functions"),
  OBJECT_OPTION ("functions"),
  { OPTION_THREADS, "threads", "LIST",
    "show only what these threads ran: names, numbers, tids or patterns, with commas; without "
    "counts, which are sums over all threads",
    NULL },
  { ARGUMENT_CALLERS, "callers", "N",
    "show callers and callees of N functions (default 5); 0: of all", NULL },
  { ARGUMENT_NO_CALLERS, "no-callers", NULL, "show no callers and callees", NULL },
  { ARGUMENT_TREE, "tree", NULL, "show the call tree from the threads down, with measured times",
    NULL },
  { ARGUMENT_FLAME, "flame", NULL,
    "draw a flame graph, the outermost functions at the top, in the width of the terminal", NULL },
  { ARGUMENT_ASCII, "ascii", NULL, "draw it in ASCII", NULL },
  { ARGUMENT_DEPTH, "depth", "N",
    "at most N levels of the tree, or rows of the flame graph (default 40); 0: 1000", NULL },
  FRAMES_OPTION,
  { ARGUMENT_NO_INLINES, "no-inlines", NULL, "leave out frames of inlined functions", NULL },
  { ARGUMENT_NO_FOLD, "no-fold", NULL, "show each level of a recursion in its own row", NULL },
  { ARGUMENT_RANKS, "ranks", "[WHAT]",
    "compare the ranks of a program of MPI, by functions (default), lines or blocks; and show its "
    "calls of MPI",
    "functions lines blocks" },
  { ARGUMENT_BY, "by", "WHAT",
    "with --ranks: compare time, executions or calls (default: the first that is known)",
    "time executions calls" },
  { ARGUMENT_FULL_NAMES, "full-names", NULL, "do not shorten names", NULL },
  { ARGUMENT_COUNTS, "counts", NULL,
    "print only \"count name\", the most samples first, of a file of raw addresses (or a "
    "profile); without names PROGRAM is a.out and the file prof.out",
    NULL },
  { ARGUMENT_WORDS, "words", "BITS",
    "with --counts: addresses have 32 or 64 bits (default: as in PROGRAM)", "32 64" },
  COLOR_OPTION,
  NO_PAGER_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_report = {
  .name = "report",
  .summary = "the run, its functions and their callers",
  .group = GROUP_LOOK,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]\n--counts [--words=BITS] [PROGRAM [prof.out]]",
  .description
  = "Shows when and how long PROGRAM ran, what the profile lost, the time in the program and in "
    "each shared library, the functions with most self time and their exact calls, and their "
    "callers and callees.  Several profiles are added up.  Without PROGRAM: the program that the "
    "profile names.",
  .notes
  = "--threads, --tree and --flame need samples with call stacks (bbprof record).\n\n"
    "Columns: share of the sampled time; self time; total time (~: partly estimated); calls, "
    "exact; self time of one call in nanoseconds; executions of blocks, exact.  Callers: their "
    "share of the function's total time, estimated from calls, or measured if there are call "
    "stacks or a trace.  Callees: their part of the function's total time.  With call stacks "
    "all times are measured.",
  .options = options,
  .prints_page = true,
  .run = run,
};
