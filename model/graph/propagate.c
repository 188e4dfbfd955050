/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes the time of callees to callers, in proportion to the calls.  Two walks over the graph in
   the order of the levels: from callers to callees for the part of a function's time that is
   shown at all, then back for the times.  The order of the floating-point operations is part of
   the result. */
#include <stddef.h>
#include <stdlib.h>

#include "common/array.h"
#include "model/graph/callgraph.h"
#include "model/symbols/spec.h"

/* A symbol, with what it is sorted by. */
struct ranked {
  uint64_t level;
  uint32_t symbol;
};

/* All symbols, callees before callers; null: out of memory. */
static uint32_t *
sort_by_level (const struct callgraph *g)
{
  size_t n = (size_t) g->nsymbols + 1;
  uint32_t *sorted = malloc (n * sizeof *sorted);
  struct ranked *ranked = malloc (n * sizeof *ranked);
  bool ok = sorted && ranked;
  for (uint32_t i = 0; ok && i < g->nsymbols; i++)
    ranked[i] = (struct ranked) { g->nodes[i].level, i };
  ok = ok
       && array_sort_by_number (ranked, g->nsymbols, sizeof *ranked,
                                offsetof (struct ranked, level));
  for (uint32_t i = 0; ok && i < g->nsymbols; i++)
    sorted[i] = ranked[i].symbol;
  free (ranked);
  if (ok)
    return sorted;
  free (sorted);
  return NULL;
}

/* Adds to TO what NODE inherits from its callers outside CYCLE.  The calls of TO, which is NODE
   itself or its cycle, determine the shares. */
static void
inherit_from_callers (struct callgraph *g, uint32_t node, struct node *to)
{
  callgraph_fetch (g, g->parents, g->first_parent, node);
  for (uint32_t i = g->first_parent[node]; i < g->first_parent[node + 1]; i++)
    {
      const struct arc *a = &g->arcs[g->parents[i]];
      const struct node *parent = &g->nodes[a->parent];
      if (a->parent == node || parent->head == g->nodes[node].head)
        continue;
      to->shown |= parent->shown;
      if (to->calls != 0)
        to->fraction += parent->fraction * ((double) a->count / (double) to->calls);
    }
}

static void
inherit (struct callgraph *g, uint32_t node)
{
  struct node *head = &g->nodes[g->nodes[node].head];
  head->shown = false;
  head->fraction = 0;
  if (!node_is_cycle (head))
    {
      inherit_from_callers (g, node, head);
      return;
    }
  for (uint32_t m = head->next; m != NO_NODE; m = g->nodes[m].next)
    inherit_from_callers (g, m, head);
  for (uint32_t m = head->next; m != NO_NODE; m = g->nodes[m].next)
    {
      g->nodes[m].shown = head->shown;
      g->nodes[m].fraction = head->fraction;
    }
}

/* Applies the user's selection to what the callers determined. */
static void
correct (struct node *n, const struct specs *specs, uint32_t symbol)
{
  bool excluded = specs_has (specs, EXCL_GRAPH, symbol) && !specs_has (specs, INCL_GRAPH, symbol);
  n->shown = n->shown ? !excluded : specs_want (specs, INCL_GRAPH, symbol);
  excluded = specs_has (specs, EXCL_TIME, symbol) && !specs_has (specs, INCL_TIME, symbol);
  if (n->fraction != 0 && excluded)
    n->fraction = 0;
  else if (n->fraction == 0 && specs_want (specs, INCL_TIME, symbol))
    n->fraction = 1;
}

/* From callers to callees.  A function without callers counts in full. */
static void
set_fractions (struct callgraph *g, const uint32_t *by_level, const struct specs *specs)
{
  uint32_t old_head = NO_NODE;
  for (uint32_t i = g->nsymbols; i-- > 0;)
    {
      struct node *n = &g->nodes[by_level[i]];
      if (n->head != old_head)
        {
          old_head = n->head;
          inherit (g, by_level[i]);
        }
      correct (n, specs, by_level[i]);
      n->self = n->time * n->fraction;
      g->shown_samples += n->self;
    }
}

static void
sum_cycle_times (struct callgraph *g)
{
  for (uint32_t c = g->nsymbols; c < g->nnodes; c++)
    {
      struct node *cycle = &g->nodes[c];
      for (uint32_t m = cycle->next; m != NO_NODE; m = g->nodes[m].next)
        if (g->nodes[m].fraction != 0)
          cycle->time += g->nodes[m].time;
      cycle->self = cycle->fraction * cycle->time;
    }
}

/* Gives PARENT its share of the time of all its callees. */
static void
collect_time (struct callgraph *g, uint32_t parent_node)
{
  struct node *parent = &g->nodes[parent_node];
  if (parent->fraction == 0)
    return;
  callgraph_fetch (g, NULL, g->first_child, parent_node);
  for (uint32_t i = g->first_child[parent_node]; i < g->first_child[parent_node + 1]; i++)
    {
      struct arc *a = &g->arcs[i];
      const struct node *child = &g->nodes[a->child];
      if (a->count == 0 || a->child == parent_node || child->fraction == 0)
        continue;
      if (child->cycle != 0)
        {
          if (child->cycle == parent->cycle)
            continue;
          child = &g->nodes[child->head];
        }
      if (child->calls == 0)
        continue;
      double part = (double) a->count / (double) child->calls;
      a->time = child->time * part;
      a->child_time = child->child_time * part;
      double share = a->time + a->child_time;
      parent->child_time += share;
      parent->child += parent->fraction * share;
      a->time *= parent->fraction;
      a->child_time *= parent->fraction;
      if (parent->cycle != 0)
        {
          struct node *cycle = &g->nodes[parent->head];
          cycle->child_time += share;
          cycle->child += parent->fraction * share;
        }
    }
}

bool
callgraph_propagate (struct callgraph *g, const struct specs *specs)
{
  uint32_t *by_level = sort_by_level (g);
  if (!by_level)
    return false;
  set_fractions (g, by_level, specs);
  sum_cycle_times (g);
  for (uint32_t i = 0; i < g->nsymbols; i++)
    collect_time (g, by_level[i]);
  free (by_level);
  return true;
}
