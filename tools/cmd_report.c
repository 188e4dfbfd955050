/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof report: the run as a whole, its objects, its functions by their own time. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "array.h"
#include "callgraph.h"
#include "command.h"
#include "name.h"
#include "report_emit.h"

static void
usage (void)
{
  fputs ("Usage: bbprof report [option...] PROGRAM [gmon.out...]\n"
         "Shows when and how long PROGRAM ran, what of the profile was lost, if anything, the time in the program\n"
         "and in each shared library, and the functions that used most time themselves, with exact calls.\n"
         "Without names of profiles: gmon.out.  Several add up.\n"
         "\n"
         "  -n, --number N   so many functions at most; 0: all that ran (default 20)\n"
         "      --json       for programs\n"
         "  -h, --help       this text\n"
         "\n"
         "Columns: share of the sampled time; the time itself; calls, exact; own time of one call in nanoseconds.\n",
         stdout);
}

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct report_function *x = a, *y = b;
  (void) context;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (x->calls != y->calls)
    return x->calls > y->calls ? -1 : 1;
  return x->symbol->address < y->symbol->address ? -1 : x->symbol->address > y->symbol->address;
}

static int
compare_objects (const void *a, const void *b, void *context)
{
  const struct report_object *x = a, *y = b;
  (void) context;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  return x->calls != y->calls ? (x->calls > y->calls ? -1 : 1) : 0;
}

/* All functions that ran; adds what they have to their objects' rows, which are in the order of the model. */
static void
collect_functions (struct report_table *t, const struct callgraph *g)
{
  size_t k = 0;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    {
      const struct node *n = &g->nodes[i];
      uint64_t calls = n->calls + n->self_calls + n->outside_calls;
      if (n->symbol->is_helper || (n->time == 0 && calls == 0))
        continue;
      t->functions[t->active++] = (struct report_function) { .symbol = n->symbol, .samples = n->time, .calls = calls };
      while (t->objects[k].object != n->symbol->object)
        k++;
      t->objects[k].samples += n->time;
      t->objects[k].calls += calls;
      t->calls += calls;
    }
}

static bool
make_names (struct report_table *t)
{
  for (size_t i = 0; i < t->nfunctions; i++)
    {
      struct report_function *f = &t->functions[i];
      f->name = name_demangle (model_program (t->model), f->symbol->name);
      if (!f->name && !(f->name = strdup (f->symbol->name)))
        return false;
    }
  return true;
}

static bool
make_rows (struct report_table *t, const struct callgraph *g, size_t most)
{
  const struct objects *all = &t->model->objects;
  t->objects = calloc (all->count, sizeof *t->objects);
  t->functions = calloc ((size_t) g->nsymbols + 1, sizeof *t->functions);
  if (!t->objects || !t->functions)
    return false;
  for (size_t i = 0; i < all->count; i++)
    if (all->all[i].has_data)
      t->objects[t->nobjects++].object = &all->all[i];
  t->samples = g->samples;
  collect_functions (t, g);
  t->nfunctions = t->active < most ? t->active : most;
  return array_sort (t->objects, t->nobjects, sizeof *t->objects, compare_objects, NULL)
         && array_sort (t->functions, t->active, sizeof *t->functions, compare_functions, NULL) && make_names (t);
}

static void
free_table (struct report_table *t)
{
  for (size_t i = 0; i < t->nfunctions; i++)
    free (t->functions[i].name);
  free (t->functions);
  free (t->objects);
  summary_free (&t->summary);
}

static bool
print (const struct arguments *a, const struct report_table *t, struct error *err)
{
  (a->json ? report_emit_json : report_emit_text) (stdout, t);
  return error_if_unwritten (stdout, err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model model = { 0 };
  struct callgraph graph = { 0 };
  if (!arguments_parse (&a, "nj", argc, argv))
    return COMMAND_USAGE;
  if (a.help)
    {
      usage ();
      return COMMAND_DONE;
    }
  struct report_table table = { .program = a.program, .model = &model };
  bool ok = model_read (&model, a.program, a.profiles, a.nprofiles, &(struct symtab_choice) { .parts = true }, err);
  warnings_print (argv[0], &model.warnings);
  ok = ok && callgraph_build (&graph, &model.symtab, &model.profile, err)
       && ((summary_make (&table.summary, &model) && make_rows (&table, &graph, a.most)) || error_no_memory (err))
       && print (&a, &table, err);
  free_table (&table);
  callgraph_free (&graph);
  model_free (&model);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_report
    = { .name = "report", .help = "the run, its shared libraries and its functions in short", .run = run };
