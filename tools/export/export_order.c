/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's functions in an order for linkers, so that functions that call each other often
   share pages and lines of the cache: call-chain clustering, C3 (Ottoni and Maher, "Optimizing
   Function Placement for Large-Scale Data-Center Applications", CGO 2017).  From the hottest
   function on, the cluster of each is appended to that of the function that calls it most often;
   then the clusters that are densest in executed code come first. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/export/export_emit.h"

enum {
  LARGEST = 1 << 20, /* bytes of a cluster */
  THINNER = 8,       /* by at most this factor a cluster's density may fall */
};

/* Begins with one function each. */
struct cluster {
  uint32_t first, last; /* symbols */
  double size;          /* bytes of code */
  double hotness;
  bool is_joined; /* it is part of another one now */
};

struct order {
  const struct export_view *view;
  /* Of each symbol: */
  struct cluster *clusters; /* that begins with it */
  uint32_t *cluster;        /* that it is in */
  uint32_t *next;           /* in its cluster; or NO_NODE */
  bool *is_hot;             /* it ran */
  double *hotness;          /* bytes of executed code; without counts of blocks: calls */
  /* The hot ones, then the clusters, in an order. */
  struct ranked {
    uint32_t symbol;
    double rank;
  } * ranked;
  size_t nranked;
};

/* Parts of functions have sections of their own, which linkers keep apart; names with a dot in
   front are the profiler's. */
static bool
is_candidate (const struct export_view *v, const struct symbol *s)
{
  return s->object && s->object == &v->model->objects.all[0] && s->is_function && !s->is_helper
         && strncmp (s->name, "bbprof.", 7) != 0 && !strstr (s->name, ".cold");
}

static void
find_hotness (struct order *o)
{
  const struct export_view *v = o->view;
  const struct callgraph *g = &v->graph;
  const struct symbol *symbols = v->model->symtab.symbols;
  bool blocks = v->model->profile.has_executions;
  for (size_t i = 0; blocks && i < v->blocks.count; i++)
    {
      const struct block *b = &v->blocks.blocks[i];
      if (b->symbol)
        o->hotness[b->symbol - symbols] += (double) b->count * (double) (b->end - b->start);
    }
  for (uint32_t i = 0; i < g->nsymbols; i++)
    {
      const struct node *n = &g->nodes[i];
      double calls = (double) n->calls + (double) n->self_calls + (double) n->outside_calls;
      if (!blocks)
        o->hotness[i] = calls;
      o->is_hot[i] = (calls > 0 || o->hotness[i] > 0) && is_candidate (v, &symbols[i]);
    }
}

static int
compare_ranks (const void *a, const void *b, void *context)
{
  const struct ranked *x = a, *y = b;
  (void) context;
  return x->rank > y->rank ? -1 : x->rank < y->rank;
}

/* The function that calls SYMBOL most often, among the hot ones; or NO_NODE. */
static uint32_t
find_caller (const struct order *o, uint32_t symbol)
{
  const struct callgraph *g = &o->view->graph;
  uint32_t best = NO_NODE;
  uint64_t most = 0;
  for (uint32_t i = g->first_parent[symbol]; i < g->first_parent[symbol + 1]; i++)
    {
      const struct arc *a = &g->arcs[g->parents[i]];
      bool better = a->count > most || (a->count == most && a->parent < best);
      if (a->count > 0 && a->parent != symbol && o->is_hot[a->parent] && better)
        {
          best = a->parent;
          most = a->count;
        }
    }
  return best;
}

static double
density (double hotness, double size)
{
  return size > 0 ? hotness / size : 0;
}

static void
join (struct order *o, uint32_t caller, uint32_t callee)
{
  struct cluster *to = &o->clusters[o->cluster[caller]], *from = &o->clusters[o->cluster[callee]];
  if (to == from || to->size + from->size > LARGEST
      || density (to->hotness + from->hotness, to->size + from->size) * THINNER
             < density (to->hotness, to->size))
    return;
  for (uint32_t i = from->first; i != NO_NODE; i = o->next[i])
    o->cluster[i] = o->cluster[caller];
  o->next[to->last] = from->first;
  to->last = from->last;
  to->size += from->size;
  to->hotness += from->hotness;
  from->is_joined = true;
}

static bool
make_clusters (struct order *o)
{
  const struct symtab *t = &o->view->model->symtab;
  for (uint32_t i = 0; i < t->count; i++)
    if (o->is_hot[i])
      {
        o->cluster[i] = i;
        o->next[i] = NO_NODE;
        o->clusters[i]
            = (struct cluster) { .first = i,
                                 .last = i,
                                 .size = (double) (t->symbols[i].end + 1 - t->symbols[i].address),
                                 .hotness = o->hotness[i] };
        o->ranked[o->nranked++] = (struct ranked) { i, o->hotness[i] };
      }
  if (!array_sort (o->ranked, o->nranked, sizeof *o->ranked, compare_ranks, NULL))
    return false;
  for (size_t i = 0; i < o->nranked; i++)
    {
      uint32_t symbol = o->ranked[i].symbol, caller = find_caller (o, symbol);
      if (caller != NO_NODE)
        join (o, caller, symbol);
    }
  size_t n = 0;
  for (size_t i = 0; i < o->nranked; i++)
    {
      const struct cluster *c = &o->clusters[o->ranked[i].symbol];
      if (!c->is_joined)
        o->ranked[n++] = (struct ranked) { c->first, density (c->hotness, c->size) };
    }
  o->nranked = n;
  return array_sort (o->ranked, n, sizeof *o->ranked, compare_ranks, NULL);
}

static bool
order_functions (struct order *o, struct error *err)
{
  size_t n = o->view->model->symtab.count + 1;
  o->clusters = calloc (n, sizeof *o->clusters);
  o->cluster = calloc (n, sizeof *o->cluster);
  o->next = calloc (n, sizeof *o->next);
  o->is_hot = calloc (n, sizeof *o->is_hot);
  o->hotness = calloc (n, sizeof *o->hotness);
  o->ranked = calloc (n, sizeof *o->ranked);
  if (!o->clusters || !o->cluster || !o->next || !o->is_hot || !o->hotness || !o->ranked)
    return error_no_memory (err);
  find_hotness (o);
  if (!make_clusters (o))
    return error_no_memory (err);
  return o->nranked > 0
         || error_set (err, o->view->program, ERROR_NO_OFFSET,
                       "no counted functions in the profile (compile with -pg -fplugin=bbprof to "
                       "have them)");
}

static void
release (struct order *o)
{
  free (o->clusters);
  free (o->cluster);
  free (o->next);
  free (o->is_hot);
  free (o->hotness);
  free (o->ranked);
}

/* GCC's -ffunction-sections has these names for code that runs once. */
static bool
is_startup (const char *name)
{
  return strcmp (name, "main") == 0 || strncmp (name, "_GLOBAL__", 9) == 0;
}

static bool
put_order (FILE *out, const struct export_view *v, bool sections, struct error *err)
{
  struct order o = { .view = v };
  bool ok = order_functions (&o, err);
  for (size_t i = 0; ok && i < o.nranked; i++)
    for (uint32_t s = o.clusters[o.ranked[i].symbol].first; s != NO_NODE; s = o.next[s])
      {
        const char *name = v->model->symtab.symbols[s].name;
        if (sections && is_startup (name))
          fprintf (out, ".text.startup.%s\n", name);
        fprintf (out, "%s%s\n", sections ? ".text." : "", name);
      }
  release (&o);
  return ok && error_if_unwritten (out, err);
}

/* lld's --symbol-ordering-file: names of functions. */
bool
export_order (FILE *out, const struct export_view *v, struct error *err)
{
  return put_order (out, v, false, err);
}

/* gold's --section-ordering-file: names of sections. */
bool
export_order_gold (FILE *out, const struct export_view *v, struct error *err)
{
  return put_order (out, v, true, err);
}

/* lld's --call-graph-ordering-file: caller, callee, calls.  lld makes the order. */
bool
export_call_graph (FILE *out, const struct export_view *v, struct error *err)
{
  const struct callgraph *g = &v->graph;
  bool any = false;
  for (uint32_t i = 0; i < g->narcs; i++)
    {
      const struct arc *a = &g->arcs[i];
      const struct symbol *parent = g->nodes[a->parent].symbol, *child = g->nodes[a->child].symbol;
      if (a->count == 0 || parent == child || !is_candidate (v, parent) || !is_candidate (v, child))
        continue;
      fprintf (out, "%s %s %" PRIu64 "\n", parent->name, child->name, a->count);
      any = true;
    }
  if (!any)
    return error_set (err, v->program, ERROR_NO_OFFSET,
                      "no counted calls between functions in the profile (compile with -pg "
                      "-fplugin=bbprof to have them)");
  return error_if_unwritten (out, err);
}
