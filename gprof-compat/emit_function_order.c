/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -r: an order of the functions for the linker: functions that call each other most are
   neighbours, unused ones come last. */
#include <stdlib.h>

#include "common/array.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/name.h"
#include "gprof-compat/placement.h"
#include "model/graph/relatives.h"

/* Functions with many callers that share many of the calls are placed by themselves.  They are
   chosen among the callees of the most frequent arcs, up to this part of all calls, ... */
#define FREQUENT_CALLS .90
/* ... at most one of so many used functions, ... */
#define USED_PER_SHARED 80
/* ... until one has only this number of callers. */
#define FEW_CALLERS 5

struct ordering {
  const struct callgraph *g;
  bool graph_shown; /* then gprof has already sorted the arcs of functions with an entry */
  struct relatives relatives;
  struct placement p;
  uint32_t *used; /* functions */
  size_t nused;
  uint32_t *callers; /* per function, in frequent arcs */
  uint32_t *shared;  /* used functions, most callers first */
  size_t nshared;    /* of SHARED: those placed by themselves */
  /* Most calls first: all arcs; those between shared functions; those that joined nothing. */
  struct placement_list arcs, between, left;
};

static bool
begin (struct ordering *o)
{
  const struct callgraph *g = o->g;
  if (!placement_make (&o->p, g->nsymbols, g->narcs))
    return false;
  o->arcs.arcs = malloc (((size_t) g->narcs + 1) * sizeof *o->arcs.arcs);
  /* Each arc may be added from both ends. */
  o->between.arcs = malloc ((2 * (size_t) g->narcs + 1) * sizeof *o->between.arcs);
  /* Arcs of BETWEEN and of ALL. */
  o->left.arcs = malloc ((3 * (size_t) g->narcs + 1) * sizeof *o->left.arcs);
  o->used = malloc (((size_t) g->nsymbols + 1) * sizeof *o->used);
  o->shared = malloc (((size_t) g->nsymbols + 1) * sizeof *o->shared);
  o->callers = calloc ((size_t) g->nsymbols + 1, sizeof *o->callers);
  if (!o->arcs.arcs || !o->between.arcs || !o->left.arcs || !o->used || !o->shared || !o->callers)
    return false;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    if (g->nodes[i].calls != 0)
      o->shared[o->nused] = o->used[o->nused] = i, o->nused++;
    else
      placement_hide (&o->p, i, true);
  callgraph_by_date (g, o->arcs.arcs);
  for (uint32_t i = 0; i < g->narcs; i++)
    {
      uint32_t arc = o->arcs.arcs[i];
      const struct arc *a = &g->arcs[arc];
      o->p.arcs[arc] = (struct placement_arc) { a->parent, a->child, a->count, false };
      if (a->parent != a->child)
        o->arcs.arcs[o->arcs.count++] = arc;
    }
  return placement_sort (&o->p, &o->arcs);
}

static void
count_callers (struct ordering *o)
{
  uint64_t total = 0, sum = 0;
  for (size_t i = 0; i < o->arcs.count; i++)
    total += o->p.arcs[o->arcs.arcs[i]].count;
  for (size_t i = 0; i < o->arcs.count; i++)
    {
      const struct placement_arc *a = &o->p.arcs[o->arcs.arcs[i]];
      sum += a->count;
      if ((double) sum / (double) total > FREQUENT_CALLS)
        return;
      o->callers[a->child]++;
    }
}

static int
compare_callers (const void *a, const void *b, void *context)
{
  const uint32_t *callers = context;
  uint32_t x = callers[*(const uint32_t *) a], y = callers[*(const uint32_t *) b];
  return x > y ? -1 : x < y;
}

static void
take_arc (struct ordering *o, uint32_t arc)
{
  struct placement_arc *a = &o->p.arcs[arc];
  a->done = true;
  if (a->parent != a->child)
    o->between.arcs[o->between.count++] = arc;
}

static void
take_relatives (struct ordering *o)
{
  for (uint32_t i = 0; i < o->relatives.count; i++)
    take_arc (o, o->relatives.list[i].arc);
}

/* Keeps the arcs of the shared function F out of other chains. */
static bool
take_arcs (struct ordering *o, uint32_t f)
{
  const struct callgraph *g = o->g;
  if (o->graph_shown && g->nodes[f].shown)
    {
      if (!relatives_children (&o->relatives, f))
        return false;
      take_relatives (o);
      if (!relatives_parents (&o->relatives, f))
        return false;
      take_relatives (o);
      return true;
    }
  for (uint32_t i = g->first_child[f]; i < g->first_child[f + 1]; i++)
    take_arc (o, i);
  for (uint32_t i = g->first_parent[f]; i < g->first_parent[f + 1]; i++)
    take_arc (o, g->parents[i]);
  return true;
}

static bool
choose_shared (struct ordering *o)
{
  count_callers (o);
  if (!array_sort (o->shared, o->nused, sizeof *o->shared, compare_callers, o->callers))
    return false;
  for (; o->nshared < o->nused / USED_PER_SHARED; o->nshared++)
    {
      uint32_t f = o->shared[o->nshared];
      if (o->callers[f] == FEW_CALLERS)
        break;
      if (!take_arcs (o, f))
        return false;
      placement_hide (&o->p, f, true);
    }
  return true;
}

static bool
place_shared (struct ordering *o)
{
  size_t n = 0;
  for (size_t i = 0; i < o->between.count; i++)
    {
      uint32_t arc = o->between.arcs[i];
      const struct placement_arc *a = &o->p.arcs[arc];
      if (!placement_has (&o->p, a->parent) || !placement_has (&o->p, a->child))
        continue;
      placement_hide (&o->p, a->parent, false);
      placement_hide (&o->p, a->child, false);
      o->between.arcs[n++] = arc;
    }
  o->between.count = n;
  for (size_t i = 0; i + 1 < o->nshared; i++)
    if (placement_has (&o->p, o->shared[i]))
      {
        placement_hide (&o->p, o->shared[i], false);
        placement_put (&o->p, o->shared[i]);
      }
  if (!placement_sort (&o->p, &o->between))
    return false;
  placement_chain (&o->p, &o->between, true, &o->left);
  return true;
}

static bool
place (struct ordering *o)
{
  if (!choose_shared (o) || !place_shared (o))
    return false;
  placement_chain (&o->p, &o->arcs, false, &o->left);
  placement_chain (&o->p, &o->left, true, NULL);
  for (size_t i = 0; i < o->nused; i++)
    placement_put (&o->p, o->used[i]);
  return true;
}

static void
print (FILE *out, const struct report *r, const struct ordering *o)
{
  for (size_t i = 0; i < o->p.nordered; i++)
    fprintf (out, "%s\n", name_shown (r, o->g->nodes[o->p.order[i]].symbol->name));
  for (uint32_t i = 0; i < o->g->nsymbols; i++)
    if (o->g->nodes[i].calls == 0)
      fprintf (out, "%s\n", name_shown (r, o->g->nodes[i].symbol->name));
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  struct ordering o = { .g = &r->graph, .graph_shown = r->options->styles & STYLE_GRAPH };
  bool ok = relatives_init (&o.relatives, o.g) && begin (&o) && place (&o);
  if (ok)
    print (out, r, &o);
  relatives_free (&o.relatives);
  placement_free (&o.p);
  free (o.used);
  free (o.shared);
  free (o.callers);
  free (o.arcs.arcs);
  free (o.between.arcs);
  free (o.left.arcs);
  return ok || error_no_memory (err);
}

const struct emitter emit_function_order = { .body = body, .unbroken = true };
