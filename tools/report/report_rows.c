/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses and sorts the functions and objects of the report. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/report/report_emit.h"
#include "tools/report/report_names.h"
#include "tools/report/report_relatives.h"
#include "tools/report/report_stacks.h"
#include "tools/report/report_tree.h"

/* The order.  */

static int
compare_numbers (double x, double y)
{
  return x > y ? -1 : x < y;
}

static int
compare_self (const struct report_function *x, const struct report_function *y)
{
  int by_time = compare_numbers (x->samples, y->samples);
  if (by_time)
    return by_time;
  if (x->executions != y->executions)
    return x->executions > y->executions ? -1 : 1;
  if (x->calls != y->calls)
    return x->calls > y->calls ? -1 : 1;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->symbol->address < y->symbol->address ? -1 : x->symbol->address > y->symbol->address;
}

struct order {
  const struct report_table *table;
  enum report_sort sort;
};

static int
compare_functions (const void *a, const void *b, void *context)
{
  const struct report_function *x = a, *y = b;
  const struct order *order = context;
  int first = 0;
  switch (order->sort)
    {
    case REPORT_BY_SELF: break;
    case REPORT_BY_TOTAL: first = compare_numbers (x->total, y->total); break;
    case REPORT_BY_CALLS: first = x->calls > y->calls ? -1 : x->calls < y->calls; break;
    case REPORT_BY_NS_PER_CALL:
      first = compare_numbers (report_nanoseconds (order->table, x),
                               report_nanoseconds (order->table, y));
      break;
    case REPORT_BY_NAME: first = strcmp (x->name, y->name); break;
    }
  return first ? first : compare_self (x, y);
}

static int
compare_objects (const void *a, const void *b, void *context)
{
  const struct report_object *x = a, *y = b;
  (void) context;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (x->executions != y->executions)
    return x->executions > y->executions ? -1 : 1;
  return x->calls != y->calls ? (x->calls > y->calls ? -1 : 1) : 0;
}

/* Rows. */

static void
add_to_object (struct report_table *t, const struct report_function *f)
{
  struct report_object *o = t->objects;
  while (o->object != f->symbol->object)
    o++;
  o->samples += f->samples;
  o->calls += f->calls;
  o->executions += f->executions;
  t->calls += f->calls;
  t->executions += f->executions;
}

/* The measured total, if the traces cover all executions of the profile. */
static double
measured_total (const struct report_table *t, uint32_t node)
{
  const struct caller_share *all = caller_shares_find (&t->caller_shares, CALLER_ALL, node);
  return all && t->samples > 0 && t->recorded == t->executions ? all->samples : -1;
}

/* Replaces estimated times by those of the stacks.  Counts are dropped if only some threads are
   shown: they are known only for all threads together. */
static void
use_stacks (const struct report_table *t, struct report_function *f)
{
  f->samples = (double) t->times.self[f->node];
  f->total = (double) t->times.total[f->node];
  f->inherits = false;
  f->cycle = 0;
  if (t->some_threads)
    f->calls = f->executions = 0;
}

/* Takes all functions that ran. */
static void
collect_functions (struct report_table *t)
{
  for (uint32_t i = 0; i < t->graph.nsymbols; i++)
    {
      const struct node *n = &t->graph.nodes[i];
      struct report_function f = { .node = i,
                                   .symbol = n->symbol,
                                   .samples = n->time,
                                   .total = n->self + n->child,
                                   .inherits = t->reliability.inherits[i],
                                   .cycle = n->cycle,
                                   .calls = n->calls + n->self_calls + n->outside_calls,
                                   .executions = t->executed[i] };
      bool on_stacks = t->model->has_stacks && t->times.total[i] > 0;
      if (t->model->has_stacks)
        use_stacks (t, &f);
      if (n->symbol->is_helper
          || (f.samples == 0 && f.calls == 0 && f.executions == 0 && !on_stacks))
        continue;
      t->functions[t->active++] = f;
      add_to_object (t, &f);
    }
}

bool
report_count (struct report_table *t)
{
  t->executed = calloc ((size_t) t->graph.nsymbols + 1, sizeof *t->executed);
  for (size_t i = 0; t->executed && i < t->blocks.count; i++)
    if (t->blocks.blocks[i].symbol)
      t->executed[t->blocks.blocks[i].symbol - t->model->symtab.symbols]
          += t->blocks.blocks[i].count;
  return t->executed != NULL;
}

static bool
is_in_object (const struct report_choice *c, const struct report_function *f)
{
  const struct object *o = f->symbol->object;
  return object_choice_is (c->object, object_name (o), o->path);
}

/* Keeps the functions of the object that the user chose; an error if there are none. */
static bool
choose_by_object (struct report_table *t, const struct report_choice *c, struct error *err)
{
  for (size_t i = 0; i < t->active; i++)
    if (is_in_object (c, &t->functions[i]))
      t->functions[t->nfunctions++] = t->functions[i];
  return !c->object || t->nfunctions > 0 || object_choice_refuse (c->object, err);
}

/* Keeps the functions that the user named; an error if there are none. */
static bool
choose_by_name (struct report_table *t, const struct report_choice *c, struct error *err)
{
  struct name_choice choice;
  size_t n = 0;
  /* before report_name adds file and line */
  char **names = calloc (t->nfunctions + 1, sizeof *names);
  name_choice_begin (&choice, c->function);
  for (size_t i = 0; names && i < t->nfunctions; i++)
    {
      names[i] = demangle_name (model_program (t->model), t->functions[i].symbol->name);
      name_choice_consider (&choice, t->functions[i].symbol->name, names[i]);
    }
  for (size_t i = 0; names && i < t->nfunctions; i++)
    {
      if (name_choice_is (&choice, t->functions[i].symbol->name, names[i]))
        t->functions[n++] = t->functions[i];
      free (names[i]);
    }
  t->nfunctions = n;
  bool ok = names ? n > 0 || name_choice_refuse (&choice, "function that ran", err)
                  : error_no_memory (err);
  free (names);
  name_choice_free (&choice);
  return ok;
}

static bool
give_names (struct report_table *t)
{
  for (size_t i = 0; i < t->nfunctions; i++)
    if (!(t->functions[i].name = report_name (t, t->functions[i].node)))
      return false;
  return true;
}

static bool
choose (struct report_table *t, const struct report_choice *c, struct error *err)
{
  struct order order = { t, c->sort };
  if (!choose_by_object (t, c, err) || (c->function && !choose_by_name (t, c, err)))
    return false;
  if ((c->sort == REPORT_BY_NAME && !give_names (t))
      || !array_sort (t->functions, t->nfunctions, sizeof *t->functions, compare_functions, &order))
    return error_no_memory (err);
  t->nfunctions = t->nfunctions < c->most ? t->nfunctions : c->most;
  return give_names (t) || error_no_memory (err);
}

/* Adds what was inlined into the functions that are shown. */
static bool
find_inlined (struct report_table *t)
{
  bool *wanted = calloc ((size_t) t->graph.nsymbols + 1, sizeof *wanted);
  for (size_t i = 0; wanted && i < t->nfunctions; i++)
    wanted[t->functions[i].node] = true;
  bool ok = wanted && inlined_find (&t->inlined, t->model, &t->blocks, wanted);
  for (size_t i = 0; ok && i < t->nfunctions; i++)
    t->functions[i].ninlined
        = inlined_into (&t->inlined, t->functions[i].symbol, &t->functions[i].inlined);
  free (wanted);
  return ok;
}

bool
report_make (struct report_table *t, const struct report_choice *c, struct error *err)
{
  const struct objects *all = &t->model->objects;
  t->objects = calloc (all->count, sizeof *t->objects);
  t->functions = calloc ((size_t) t->graph.nsymbols + 1, sizeof *t->functions);
  t->names = calloc ((size_t) t->graph.nsymbols + 1, sizeof *t->names);
  t->namesakes = report_find_namesakes (&t->model->symtab);
  bool ok = t->objects && t->functions && t->names && t->namesakes
            && summary_make (&t->summary, t->model) && summary_add_traces (&t->summary, t->model);
  for (size_t i = 0; ok && i < all->count; i++)
    if (all->all[i].has_data)
      t->objects[t->nobjects++].object = &all->all[i];
  t->samples = t->model->has_stacks ? (double) t->times.ticks : t->graph.samples;
  if (!ok)
    return error_no_memory (err);
  if (t->model->has_stacks) /* histograms are scaled already */
    t->rate /= summary_scale (&t->summary);
  collect_functions (t);
  if (!choose (t, c, err))
    return false;
  ok = array_sort (t->objects, t->nobjects, sizeof *t->objects, compare_objects, NULL);
  for (size_t i = 0; ok && i < t->nfunctions; i++)
    {
      struct report_function *f = &t->functions[i];
      f->measured = t->model->has_stacks ? f->total : measured_total (t, f->node);
      ok = t->model->has_stacks ? report_find_measured (t, f) : report_find_relatives (t, f);
    }
  return (ok && find_inlined (t)) || error_no_memory (err);
}

void
report_free (struct report_table *t)
{
  for (size_t i = 0; i < t->nfunctions; i++)
    {
      free (t->functions[i].callers.list);
      free (t->functions[i].callees.list);
    }
  for (uint32_t i = 0; t->names && i < t->graph.nsymbols; i++)
    free (t->names[i]);
  free (t->names);
  free (t->namesakes);
  report_time_free (t);
  report_tree_free (t);
  flame_tree_free (&t->flame);
  free (t->executed);
  free (t->functions);
  free (t->objects);
  summary_free (&t->summary);
  for (size_t i = 0; i < t->nthreads; i++)
    free (t->threads[i].name);
  free (t->threads);
  inlined_free (&t->inlined);
  caller_shares_free (&t->caller_shares);
  share_reliability_free (&t->reliability);
  blocks_free (&t->blocks);
  callgraph_free (&t->graph);
}
