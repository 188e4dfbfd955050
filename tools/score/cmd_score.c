/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof score: what the instrumentation of each function costs, and which functions to exclude in
   the next build. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/arguments.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/command.h"
#include "tools/score/score.h"
#include "tools/view/pager.h"

static bool
read_costs (const struct arguments *a, const char *argv0, struct cost *c)
{
  *c = cost_measure ();
  if (!a->cost || cost_parse (c, a->cost))
    return true;
  fprintf (stderr, "%s: --cost: '%s' is not counter:NS,call:NS,entry:NS or some of these\n", argv0,
           visible (a->cost));
  return false;
}

static bool
read_files (const struct arguments *a, const char *argv0, struct model *m, struct error *err)
{
  bool ok = model_read (m, a->program, a->profiles, a->nprofiles,
                        &(struct symtab_choice) { .parts = true, .any_build = a->force }, err);
  warnings_print_beside (argv0, &m->warnings, ok && !a->json);
  if (ok && !m->profile.has_executions)
    return error_set (err, a->profiles[0], ERROR_NO_OFFSET,
                      "no block counts in the profile (compile with -fplugin=bbprof to have them)");
  return ok;
}

static bool
build (struct score *s, const struct model *m, struct error *err)
{
  struct blocks blocks = { 0 };
  struct callgraph graph = { 0 };
  bool ok = blocks_build (&blocks, &m->objects, &m->symtab, &m->profile, err)
            && callgraph_build (&graph, &m->symtab, &m->profile, err)
            && (score_build (s, &blocks, &graph) || error_no_memory (err));
  callgraph_free (&graph);
  blocks_free (&blocks);
  return ok;
}

static bool
write_list (const char *name, const struct score *s, struct error *err)
{
  FILE *out = fopen (name, "w");
  if (!out)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  score_emit_list (out, s);
  bool ok = fflush (out) == 0 && !ferror (out);
  int error = errno;
  fclose (out);
  return ok
         || error_set (err, name, ERROR_NO_OFFSET, "cannot write the list: %s", strerror (error));
}

/* Moves the functions that are chosen to the front, in their order; returns their number. */
static size_t
move_chosen (struct score *s, const struct name_choice *choice)
{
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++)
    {
      struct score_function f = s->functions[i];
      if (!f.in_object || (choice && !name_choice_is (choice, f.symbol, f.name)))
        continue;
      memmove (&s->functions[n + 1], &s->functions[n], (i - n) * sizeof f);
      s->functions[n++] = f;
    }
  return n;
}

/* --object and --filter.  False: nothing matches. */
static bool
choose_functions (struct score *s, const char *pattern, size_t *chosen, struct error *err)
{
  struct name_choice choice;
  *chosen = move_chosen (s, NULL);
  if (s->object && *chosen == 0)
    return object_choice_refuse (s->object, err);
  if (!pattern)
    return true;
  name_choice_begin (&choice, pattern);
  for (size_t i = 0; i < *chosen; i++)
    name_choice_consider (&choice, s->functions[i].symbol, s->functions[i].name);
  *chosen = move_chosen (s, &choice);
  bool ok = *chosen > 0 || name_choice_refuse (&choice, "function that ran", err);
  name_choice_free (&choice);
  return ok;
}

static bool
print (const struct arguments *a, struct score *s, struct error *err)
{
  size_t chosen;
  struct style style;
  if (!choose_functions (s, a->filter, &chosen, err))
    return false;
  s->shown = chosen < a->most ? chosen : a->most;
  if (a->exclude_above >= 0)
    score_exclude (s, a->exclude_above);
  if (a->json)
    score_emit_json (stdout, s);
  else
    {
      style_choose (&style, a->color);
      pager_begin (!a->no_pager);
      warnings_show (stdout, &s->model->warnings);
      score_emit_text (stdout, s, &style);
    }
  return pager_end (err) && (!a->output || write_list (a->output, s, err));
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  struct score score = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_score, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  if (a.output && a.exclude_above < 0)
    {
      fprintf (stderr, "%s: -o needs --exclude-above=P, which chooses the functions to write\n",
               argv[0]);
      return COMMAND_USAGE;
    }
  score.program = a.program;
  score.model = &model;
  score.object = a.object;
  score.sort = (enum score_sort) a.sort;
  if (!read_costs (&a, argv[0], &score.costs))
    return COMMAND_USAGE;
  bool ok = read_files (&a, argv[0], &model, err) && build (&score, &model, err)
            && print (&a, &score, err);
  score_free (&score);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  NUMBER_OPTION ("functions"),
  { OPTION_SORT, "sort", "ORDER",
    "cost (default), ratio (cost in percent of self time), self (time), counters or calls: the "
    "most first; name",
    "cost ratio self counters calls name" },
  FILTER_OPTION ("functions"),
  OBJECT_OPTION ("functions"),
  { ARGUMENT_EXCLUDE_ABOVE, "exclude-above", "P",
    "mark functions in which counting costs more than P percent of their self time", NULL },
  { 'o', "output", "FILE",
    "write the marked functions to FILE, for -fplugin-arg-bbprof-exclude=@FILE in the next build",
    NULL },
  { ARGUMENT_COST, "cost", "KIND:NS,...",
    "nanoseconds of a counter, a call and an entry (default: measured now)", NULL },
  COLOR_OPTION,
  NO_PAGER_OPTION,
  FORCE_OPTION,
  JSON_OPTION,
  END_OF_OPTIONS,
};

const struct command command_score = {
  .name = "score",
  .summary = "what counting costs in each function, and which to exclude",
  .group = GROUP_COMPARE,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]",
  .description
  = "Predicts from a profile what counting costs in each function of PROGRAM, the most expensive "
    "first.  Several profiles are added up.",
  .notes
  = "Columns: cost of counting in milliseconds; in percent of the time of the whole program, and "
    "of the function's self time without counting; this time; executions of its counters; "
    "counted calls.",
  .options = options,
  .run = run,
};
