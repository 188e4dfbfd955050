/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "model/graph/callgraph.h"
#include "model/graph/ranks.h"
#include "model/symbols/spec.h"

/* The order of the report's entries: most time first; then cycles, names without underscore, most
   calls, names.  For entries with equal time. */
static int
compare_entries (const void *a, const void *b, void *context)
{
  const struct node *nodes = context;
  const struct node *x = &nodes[((const struct rank *) a)->node],
                    *y = &nodes[((const struct rank *) b)->node];
  if (node_is_cycle (x) || node_is_cycle (y))
    {
      if (!node_is_cycle (x) || !node_is_cycle (y))
        return node_is_cycle (x) ? -1 : 1;
      return x->cycle < y->cycle ? -1 : 1;
    }
  const char *p = x->symbol->name, *q = y->symbol->name;
  if ((*p == '_') != (*q == '_'))
    return *p == '_' ? 1 : -1;
  if (x->calls != y->calls)
    return x->calls > y->calls ? -1 : 1;
  return strcmp (p, q);
}

/* What comes second, for almost all numbers of calls. */
static uint64_t
second_rank (const struct node *n)
{
  const uint64_t most = UINT64_MAX / 4;
  if (node_is_cycle (n))
    return 0;
  return 1 + (*n->symbol->name == '_' ? most + 1 : 0) + most - (n->calls < most ? n->calls : most);
}

bool
callgraph_number (struct callgraph *g)
{
  struct rank *ranks = malloc (((size_t) g->nnodes + 1) * sizeof *ranks);
  g->order = malloc (((size_t) g->nnodes + 1) * sizeof *g->order);
  bool ok = ranks && g->order;
  for (uint32_t i = 0; ok && i < g->nnodes; i++)
    {
      const struct node *n = &g->nodes[i];
      ranks[i] = (struct rank) { rank_down (n->self + n->child), second_rank (n), i };
    }
  ok = ok && ranks_sort (ranks, g->nnodes, compare_entries, g->nodes);
  for (uint32_t i = 0; ok && i < g->nnodes; i++)
    {
      g->order[i] = ranks[i].node;
      g->nodes[g->order[i]].index = i + 1;
    }
  free (ranks);
  return ok;
}

bool
callgraph_build_for (struct callgraph *g, const struct symtab *t, const struct profile *p,
                     const struct callgraph_choice *choice, struct error *err)
{
  memset (g, 0, sizeof *g);
  return (callgraph_collect (g, t, p, choice) && callgraph_find_cycles (g)
          && callgraph_propagate (g, choice->specs) && callgraph_number (g))
         || error_no_memory (err);
}

bool
callgraph_build (struct callgraph *g, const struct symtab *t, const struct profile *p,
                 struct error *err)
{
  memset (g, 0, sizeof *g);
  struct specs *specs = specs_resolve (NULL, 0, t, err);
  bool ok = specs
            && callgraph_build_for (
                g, t, p, &(struct callgraph_choice) { .specs = specs, .by_calls = true }, err);
  specs_free (specs);
  return ok;
}

void
callgraph_by_date (const struct callgraph *g, uint32_t *arcs)
{
  for (uint32_t i = 0; i < g->narcs; i++)
    arcs[g->dates[i]] = i;
}

void
callgraph_free (struct callgraph *g)
{
  free (g->nodes);
  free (g->arcs);
  free (g->dates);
  free (g->first_child);
  free (g->parents);
  free (g->first_parent);
  free (g->order);
  memset (g, 0, sizeof *g);
}
