/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/graph/relatives.h"

enum { RANK_SELF, RANK_INSIDE, RANK_OTHER };

static uint32_t
longest_list (const uint32_t *first, uint32_t nnodes)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < nnodes; i++)
    if (first[i + 1] - first[i] > most)
      most = first[i + 1] - first[i];
  return most;
}

bool
relatives_init (struct relatives *r, const struct callgraph *g)
{
  uint32_t parents = longest_list (g->first_parent, g->nsymbols),
           children = longest_list (g->first_child, g->nsymbols);
  *r = (struct relatives) { .graph = g };
  r->list = malloc (((size_t) (parents > children ? parents : children) + 1) * sizeof *r->list);
  return r->list != NULL;
}

void
relatives_free (struct relatives *r)
{
  free (r->list);
}

/* The arcs of LIST that are NODE's, which are anywhere in memory. */
static void
fetch_arcs (const struct callgraph *g, const uint32_t *list, const uint32_t *first, uint32_t node)
{
  enum { MOST = 32 };
  uint32_t end = first[node + 1] - first[node] > MOST ? first[node] + MOST : first[node + 1];
  for (uint32_t i = first[node]; i < end; i++)
    __builtin_prefetch (&g->arcs[callgraph_arc (list, i)]);
}

/* A node, then its lists, then its arcs, each when the one before has arrived. */
void
relatives_expect (const struct relatives *r, uint32_t i)
{
  enum { NODE = 12, LISTS = 8, ARCS = 3 };
  const struct callgraph *g = r->graph;
  if (i + NODE >= g->nnodes)
    return;
  uint32_t node = g->order[i + NODE];
  __builtin_prefetch (&g->nodes[node]);
  __builtin_prefetch (&g->nodes[node].shown);
  __builtin_prefetch (&g->first_parent[node]);
  __builtin_prefetch (&g->first_child[node]);
  node = g->order[i + LISTS];
  __builtin_prefetch (&g->parents[g->first_parent[node]]);
  node = g->order[i + ARCS];
  fetch_arcs (g, g->parents, g->first_parent, node);
  fetch_arcs (g, NULL, g->first_child, node);
}

bool
relative_is_close (const struct relative *r)
{
  return r->rank != RANK_OTHER;
}

/* The arc between a node of CYCLE and another node.  Without a cycle the other node is not read,
   because it may be anywhere in memory. */
static struct relative
describe (const struct callgraph *g, uint32_t arc, uint32_t cycle)
{
  const struct arc *a = &g->arcs[arc];
  bool inside = cycle != 0 && g->nodes[a->child].cycle == g->nodes[a->parent].cycle;
  uint32_t rank = a->parent == a->child ? RANK_SELF : inside ? RANK_INSIDE : RANK_OTHER;
  return (struct relative) { .time = rank == RANK_OTHER ? a->time + a->child_time : 0,
                             .count = a->count,
                             .arc = arc,
                             .rank = rank };
}

/* Collects the arcs FIRST[NODE] ... FIRST[NODE + 1] - 1 of LIST (callgraph_arc), which are newest
   first, in the order for sorting: oldest first. */
static void
collect (struct relatives *r, const uint32_t *list, const uint32_t *first, uint32_t node)
{
  uint32_t cycle = r->graph->nodes[node].cycle;
  r->count = first[node + 1] - first[node];
  for (uint32_t i = 0; i < r->count; i++)
    r->list[i] = describe (r->graph, callgraph_arc (list, first[node + 1] - 1 - i), cycle);
}

/* Least important first: calls of itself, then those inside a cycle by their number, then the
   others by time and number. */
static int
compare_parents (const void *a, const void *b, void *context)
{
  const struct relative *x = a, *y = b;
  (void) context;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->count < y->count ? -1 : x->count > y->count;
}

static int
compare_children (const void *a, const void *b, void *context)
{
  return compare_parents (b, a, context);
}

bool
relatives_parents (struct relatives *r, uint32_t node)
{
  const struct callgraph *g = r->graph;
  collect (r, g->parents, g->first_parent, node);
  return array_sort (r->list, r->count, sizeof *r->list, compare_parents, NULL);
}

bool
relatives_children (struct relatives *r, uint32_t node)
{
  const struct callgraph *g = r->graph;
  collect (r, NULL, g->first_child, node);
  return array_sort (r->list, r->count, sizeof *r->list, compare_children, NULL);
}
