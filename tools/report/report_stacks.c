/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/frames/chosen_threads.h"
#include "tools/report/report_names.h"
#include "tools/report/report_relatives.h"
#include "tools/report/report_stacks.h"

/* How time was sampled. */

static bool
is_same (const struct bbx_sampling *x, const struct bbx_sampling *y)
{
  return strcmp (x->sampler, y->sampler) == 0 && x->clock == y->clock && x->asked == y->asked
         && x->rate == y->rate && x->depth == y->depth;
}

static void
add_sampling (struct report_table *t, const struct bbx_sampling *new)
{
  struct bbx_sampling *s = t->samplings;
  while (s < t->samplings + t->nsamplings && !is_same (s, new))
    s++;
  if (s == t->samplings + t->nsamplings)
    {
      *s = *new;
      t->nsamplings++;
      return;
    }
  s->ticks += new->ticks;
  s->samples += new->samples;
  s->cut += new->cut;
  s->wall += new->wall;
  s->cpu += new->cpu;
  s->flags |= new->flags &BBX_SAMPLING_SWITCHED;
}

static bool
add_samplings (struct report_table *t)
{
  const struct model *m = t->model;
  size_t n = 0;
  for (size_t i = 0; i < m->nruns; i++)
    n += m->runs[i].sidecar.stacks.nsamplings;
  t->samplings = calloc (n + 1, sizeof *t->samplings);
  for (size_t i = 0; t->samplings && i < m->nruns; i++)
    for (size_t k = 0; k < m->runs[i].sidecar.stacks.nsamplings; k++)
      add_sampling (t, &m->runs[i].sidecar.stacks.samplings[k]);
  return t->samplings != NULL;
}

bool
report_time (struct report_table *t, const char *pattern, struct error *err)
{
  const struct model *m = t->model;
  t->rate = m->profile.rate;
  t->some_threads = pattern != NULL;
  if (!m->has_stacks)
    return (!pattern && !t->shows_tree && !t->shows_flame)
           || error_set (err, m->runs[0].profile, ERROR_NO_OFFSET,
                         "its samples have no call stacks; bbprof record takes them");
  t->wanted_threads = chosen_threads (m, pattern, err);
  if (!t->wanted_threads)
    return false;
  if (!add_samplings (t))
    return error_no_memory (err);
  for (size_t i = 1; i < t->nsamplings; i++)
    if (t->samplings[i].clock != t->samplings[0].clock)
      return error_set (err, t->program, ERROR_NO_OFFSET,
                        "cannot add samples of CPU time to samples of wall time");
  if (!model_stack_tree (m, &t->stacks)
      || !stack_times_make (&t->times, &t->stacks, m->stacks.nthreads, m->symtab.count,
                            t->wanted_threads))
    return error_no_memory (err);
  if (t->nsamplings > 0)
    t->rate = t->samplings[0].rate;
  return true;
}

void
report_time_free (struct report_table *t)
{
  stack_times_free (&t->times);
  contexts_free (&t->stacks);
  free (t->samplings);
  free (t->wanted_threads);
}

/* Callers and callees. */

static const struct arc *
find_arc (const struct callgraph *g, uint32_t parent, uint32_t child)
{
  for (uint32_t i = g->first_child[parent]; i < g->first_child[parent + 1]; i++)
    if (g->arcs[i].child == child)
      return &g->arcs[i];
  return NULL;
}

/* MEASURED's part of the caller's or callee's time; null: nothing. */
static bool
describe (struct report_table *t, uint32_t caller, uint32_t callee, bool is_caller, uint64_t calls,
          struct report_relative *r)
{
  const struct stack_arc *arc = stack_times_arc (&t->times, caller, callee);
  uint32_t node = is_caller ? caller : callee;
  uint64_t all = t->times.total[is_caller ? callee : caller], part = !arc        ? 0
                                                                     : is_caller ? arc->outermost
                                                                                 : arc->active;
  double share = caller != callee && all > 0 ? (double) part / (double) all : -1;
  *r = (struct report_relative) { .name = node == STACK_OUTSIDE ? NULL : report_name (t, node),
                                  .symbol = node == STACK_OUTSIDE ? NULL
                                                                  : t->graph.nodes[node].symbol,
                                  .calls = calls,
                                  .share = share,
                                  .by_calls = -1,
                                  .measured = is_caller ? share : -1,
                                  .measured_executions = -1,
                                  .samples = arc ? (double) arc->active : 0 };
  return r->name || node == STACK_OUTSIDE;
}

static uint64_t
calls_of (const struct report_table *t, uint32_t caller, uint32_t callee)
{
  const struct arc *a
      = t->some_threads || caller == STACK_OUTSIDE ? NULL : find_arc (&t->graph, caller, callee);
  if (!t->some_threads && caller == STACK_OUTSIDE)
    return t->graph.nodes[callee].outside_calls;
  return a ? a->count : 0;
}

/* Adds the counted calls of NODE, or by it, that no stack contains. */
static bool
add_counted (struct report_table *t, struct report_relatives *to, uint32_t node, bool callers)
{
  const struct callgraph *g = &t->graph;
  const uint32_t *list = callers ? g->parents : NULL,
                 *first = callers ? g->first_parent : g->first_child;
  bool ok = true;
  for (uint32_t i = first[node]; ok && !t->some_threads && i < first[node + 1]; i++)
    {
      const struct arc *a = &g->arcs[callgraph_arc (list, i)];
      if (a->count > 0 && !stack_times_arc (&t->times, a->parent, a->child))
        ok = describe (t, a->parent, a->child, callers, a->count, &to->list[to->count++]);
    }
  return ok;
}

/* Calls from code without counters.  The stacks may name its functions, so there is no share. */
static void
add_outside (struct report_relatives *to, uint64_t calls)
{
  if (calls > 0)
    to->list[to->count++] = (struct report_relative) {
      .calls = calls, .share = -1, .by_calls = -1, .measured = -1, .measured_executions = -1
    };
}

static bool
find_callers (struct report_table *t, uint32_t node, struct report_relatives *to)
{
  const struct callgraph *g = &t->graph;
  struct stack_arc *const *arcs;
  size_t n = stack_times_callers (&t->times, node, &arcs),
         counted = g->first_parent[node + 1] - g->first_parent[node];
  bool ok = (to->list = calloc (n + counted + 2, sizeof *to->list)) != NULL;
  for (size_t i = 0; ok && i < n; i++)
    if (arcs[i]->active > 0)
      ok = describe (t, arcs[i]->caller, node, true, calls_of (t, arcs[i]->caller, node),
                     &to->list[to->count++]);
  if (ok && !t->some_threads && !stack_times_arc (&t->times, STACK_OUTSIDE, node))
    add_outside (to, g->nodes[node].outside_calls);
  return ok && add_counted (t, to, node, true);
}

static bool
find_callees (struct report_table *t, uint32_t node, struct report_relatives *to)
{
  const struct callgraph *g = &t->graph;
  struct stack_arc *arcs;
  size_t n = stack_times_callees (&t->times, node, &arcs),
         counted = g->first_child[node + 1] - g->first_child[node];
  bool ok = (to->list = calloc (n + counted + 1, sizeof *to->list)) != NULL;
  for (size_t i = 0; ok && i < n; i++)
    if (arcs[i].active > 0)
      ok = describe (t, node, arcs[i].callee, false, calls_of (t, node, arcs[i].callee),
                     &to->list[to->count++]);
  return ok && add_counted (t, to, node, false);
}

bool
report_find_measured (struct report_table *t, struct report_function *f)
{
  return find_callers (t, f->node, &f->callers) && find_callees (t, f->node, &f->callees)
         && report_sort_relatives (&f->callers) && report_sort_relatives (&f->callees);
}
