/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/report/share_reliability.h"

/* Was the block entered only at the function's entry, and always left by the same edge?  Unknown
   if its edges do not account for all of its executions, because a sidecar is missing. */
static bool
is_straight (const struct edges *edges, const struct block *b, bool first)
{
  const struct edge *edge;
  bool one_way = false;
  for (size_t n = edges_from (edges, b->start, &edge); n > 0; n--, edge++)
    one_way |= edge->count == b->count;
  for (size_t n = edges_to (edges, b->start, &edge); n > 0 && !first; n--, edge++)
    if (edge->from == 0 && edge->count > 0)
      return false;
  return one_way;
}

/* The function around a block, of which the block may be a separate part (.cold); or null. */
static const struct symbol *
function_of (const struct blocks *b, const struct block *block)
{
  const struct block *first = block->map ? blocks_at (b, b->map.blocks[block->map->function].start)
                                         : NULL;
  return first ? first->symbol : NULL;
}

/* Starts with the functions that ran and have known blocks. */
static void
find_run (struct share_reliability *t, const struct blocks *b, const struct symbol *symbols)
{
  for (size_t i = 0; i < b->count; i++)
    if (b->blocks[i].count > 0 && function_of (b, &b->blocks[i]))
      t->same[function_of (b, &b->blocks[i]) - symbols] = true;
}

/* Excludes functions in which a branch went more than one way. */
static void
exclude_branches (struct share_reliability *t, const struct blocks *b, const struct model *m)
{
  for (size_t i = 0; i < b->count; i++)
    {
      const struct block *block = &b->blocks[i];
      const struct symbol *s = block->count > 0 ? function_of (b, block) : NULL;
      if (s
          && !is_straight (&m->edges, block,
                           block->start == b->map.blocks[block->map->function].start))
        t->same[s - m->symtab.symbols] = false;
    }
}

/* Excludes functions in which one call site called several functions. */
static void
exclude_choices (struct share_reliability *t, const struct model *m)
{
  const struct call *calls = m->profile.calls;
  for (size_t i = 1; i < m->profile.ncalls; i++)
    {
      bool again = calls[i].from > 0 && calls[i].from == calls[i - 1].from;
      const struct symbol *s = again ? symtab_find (&m->symtab, calls[i].from - 1) : NULL;
      if (s)
        t->same[s - m->symtab.symbols] = false;
    }
}

static int
compare_levels (const void *a, const void *b, void *context)
{
  const struct node *nodes = context;
  uint32_t x = nodes[*(const uint32_t *) a].level, y = nodes[*(const uint32_t *) b].level;
  return x < y ? -1 : x > y;
}

/* Of each function or cycle: the number of its callers. */
static uint32_t *
count_callers (const struct callgraph *g)
{
  uint32_t *callers = calloc ((size_t) g->nnodes + 1, sizeof *callers);
  for (uint32_t i = 0; callers && i < g->narcs; i++)
    {
      const struct arc *a = &g->arcs[i];
      uint32_t head = g->nodes[a->child].head;
      callers[head] += a->count > 0 && a->parent != a->child && g->nodes[a->parent].head != head;
    }
  for (uint32_t i = 0; callers && i < g->nsymbols; i++)
    callers[g->nodes[i].head] += g->nodes[i].outside_calls > 0;
  return callers;
}

/* Judges NODE after all that it calls, except for the functions of its own cycle. */
static void
judge (struct share_reliability *t, const struct callgraph *g, uint32_t node,
       const uint32_t *callers)
{
  const struct node *n = &g->nodes[node];
  bool same = t->same[node] && n->cycle == 0 && n->self_calls == 0, inherits = false;
  for (uint32_t i = g->first_child[node]; i < g->first_child[node + 1]; i++)
    {
      const struct arc *a = &g->arcs[i];
      if (a->count == 0 || a->child == node)
        continue;
      same = same && t->same[a->child];
      inherits
          = inherits
            || (a->time + a->child_time > 0 && (t->assumed[a->child] || t->inherits[a->child]));
    }
  t->same[node] = same;
  t->inherits[node] = inherits;
  t->assumed[node] = !same && callers[n->head] > 1;
}

bool
share_reliability_build (struct share_reliability *t, const struct callgraph *g,
                         const struct blocks *b, const struct model *m)
{
  size_t n = (size_t) g->nsymbols + 1;
  uint32_t *by_level = malloc (n * sizeof *by_level), *callers = count_callers (g);
  *t = (struct share_reliability) { calloc (n, sizeof *t->same), calloc (n, sizeof *t->assumed),
                                    calloc (n, sizeof *t->inherits) };
  bool ok = by_level && callers && t->same && t->assumed && t->inherits;
  for (uint32_t i = 0; ok && i < g->nsymbols; i++)
    by_level[i] = i;
  ok = ok && array_sort (by_level, g->nsymbols, sizeof *by_level, compare_levels, g->nodes);
  if (ok)
    {
      find_run (t, b, m->symtab.symbols);
      exclude_branches (t, b, m);
      exclude_choices (t, m);
    }
  for (uint32_t i = 0; ok && i < g->nsymbols; i++)
    judge (t, g, by_level[i], callers);
  free (callers);
  free (by_level);
  return ok;
}

void
share_reliability_free (struct share_reliability *t)
{
  free (t->same);
  free (t->assumed);
  free (t->inherits);
  memset (t, 0, sizeof *t);
}
