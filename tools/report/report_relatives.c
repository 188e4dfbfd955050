/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "model/open_counts.h"
#include "tools/report/report_names.h"
#include "tools/report/report_relatives.h"

/* The caller's estimated share of the callee's total, by the number of calls; negative: no time
   is passed on (in a cycle, or by recursion). */
static double
part_by_calls (const struct callgraph *g, const struct arc *a)
{
  const struct node *child = &g->nodes[a->child], *head = &g->nodes[child->head];
  if (a->parent == a->child || (child->cycle != 0 && child->cycle == g->nodes[a->parent].cycle)
      || head->calls == 0)
    return -1;
  return (double) a->count / (double) head->calls;
}

static bool
describe (struct report_table *t, const struct arc *a, bool caller, struct report_relative *r)
{
  const struct callgraph *g = &t->graph;
  const struct node *parent = &g->nodes[a->parent];
  uint32_t node = caller ? a->parent : a->child;
  double total = parent->self + parent->child, by_calls = part_by_calls (g, a);
  *r = (struct report_relative) {
    .name = report_name (t, node),
    .symbol = g->nodes[node].symbol,
    .calls = a->count,
    .share = caller                       ? by_calls
             : by_calls >= 0 && total > 0 ? (a->time + a->child_time) / total
                                          : -1,
    .assumed = by_calls >= 0 && t->reliability.assumed[a->child],
    .inherits = !caller && t->reliability.inherits[a->child],
    .cycle = g->nodes[a->child].cycle != 0,
    .by_calls = by_calls,
    .measured = caller_shares_part (&t->caller_shares, a->parent, a->child),
    .cost = caller_shares_find (&t->caller_shares, a->parent, a->child),
    .measured_executions = caller_shares_part_of_executions (&t->caller_shares, a->parent, a->child)
  };
  r->open = open_calls (t->model, parent->symbol, g->nodes[a->child].symbol);
  return r->name != NULL;
}

static int
compare_relatives (const void *a, const void *b, void *context)
{
  const struct report_relative *x = a, *y = b;
  double x_share = x->share > 0 ? x->share : 0, y_share = y->share > 0 ? y->share : 0;
  (void) context;
  if (x_share != y_share)
    return x_share > y_share ? -1 : 1;
  return x->calls > y->calls ? -1 : x->calls < y->calls;
}

bool
report_sort_relatives (struct report_relatives *all)
{
  return array_sort (all->list, all->count, sizeof *all->list, compare_relatives, NULL);
}

static bool
collect (struct report_table *t, struct report_relatives *to, uint32_t node, bool callers,
         uint64_t outside, struct open_count open)
{
  const struct callgraph *g = &t->graph;
  const uint32_t *list = callers ? g->parents : NULL,
                 *first = callers ? g->first_parent : g->first_child;
  bool ok = (to->list = calloc (first[node + 1] - first[node] + 1, sizeof *to->list)) != NULL;
  for (uint32_t i = first[node]; ok && i < first[node + 1]; i++)
    {
      const struct arc *a = &g->arcs[callgraph_arc (list, i)];
      if (a->count > 0)
        ok = describe (t, a, callers, &to->list[to->count++]);
    }
  if (ok && outside + open.more > 0)
    to->list[to->count++] = (struct report_relative) {
      .calls = outside, .open = open, .share = -1, .by_calls = -1, .measured = -1
    };
  return ok && report_sort_relatives (to);
}

bool
report_find_relatives (struct report_table *t, struct report_function *f)
{
  const struct callgraph *g = &t->graph;
  uint32_t n = f->node;
  return collect (t, &f->callers, n, true, g->nodes[n].outside_calls,
                  open_calls (t->model, NULL, g->nodes[n].symbol))
         && collect (t, &f->callees, n, false, 0, (struct open_count) { 0 });
}
