/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-file.h"
#include "tools/view/stack_times.h"

#define NO_ARC UINT32_MAX

/* State of the walk through the tree of stacks. */
struct walk {
  struct stack_times *times;
  const struct contexts *tree;
  uint64_t *totals;    /* of each node */
  uint32_t *arcs;      /* of each node: the arc that it is; NO_ARC: none */
  uint32_t *functions; /* of each function: how often it is on the current stack */
  uint32_t *calls;     /* of each arc: the same */
};

/* Arcs. */

/* Finds or adds the arc of a node. */
struct arc_key {
  uint64_t pair; /* caller << 32 | callee */
  uint64_t node;
};

static uint32_t
function_of (const struct contexts *tree, uint32_t node)
{
  const struct context *c = &tree->nodes[node];
  return node != 0 && c->kind == BBX_FRAME_CODE ? (uint32_t) c->address : STACK_OUTSIDE;
}

static size_t
list_keys (const struct contexts *tree, struct arc_key *keys)
{
  size_t n = 0;
  for (uint32_t i = 1; i < tree->count; i++)
    {
      uint32_t callee = function_of (tree, i), caller = function_of (tree, tree->nodes[i].parent);
      if (callee != STACK_OUTSIDE)
        keys[n++] = (struct arc_key) { (uint64_t) caller << 32 | callee, i };
    }
  return n;
}

static bool
find_arcs (struct walk *w)
{
  struct stack_times *t = w->times;
  struct arc_key *keys = malloc ((w->tree->count + 1) * sizeof *keys);
  size_t n = keys ? list_keys (w->tree, keys) : 0;
  bool ok = keys && array_sort_by_number (keys, n, sizeof *keys, offsetof (struct arc_key, pair));
  t->arcs = calloc (n + 1, sizeof *t->arcs);
  ok = ok && t->arcs;
  for (size_t i = 0; ok && i < n; i++)
    {
      if (i == 0 || keys[i].pair != keys[i - 1].pair)
        t->arcs[t->narcs++] = (struct stack_arc) { .caller = (uint32_t) (keys[i].pair >> 32),
                                                   .callee = (uint32_t) keys[i].pair };
      w->arcs[keys[i].node] = (uint32_t) (t->narcs - 1);
    }
  free (keys);
  return ok;
}

static int
compare_callees (const void *a, const void *b, void *context)
{
  const struct stack_arc *x = *(struct stack_arc *const *) a, *y = *(struct stack_arc *const *) b;
  (void) context;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static bool
order_by_callee (struct stack_times *t)
{
  t->by_callee = malloc ((t->narcs + 1) * sizeof *t->by_callee);
  for (size_t i = 0; t->by_callee && i < t->narcs; i++)
    t->by_callee[i] = &t->arcs[i];
  return t->by_callee
         && array_sort (t->by_callee, t->narcs, sizeof *t->by_callee, compare_callees, NULL);
}

/* The walk.  */

static void
go_in (struct walk *w, uint32_t node)
{
  struct stack_times *t = w->times;
  const struct context *c = &w->tree->nodes[node];
  t->ticks += c->ticks;
  if (c->kind == BBX_FRAME_CUT && w->tree->nodes[c->parent].kind == BBX_FRAME_THREAD)
    t->cut += w->totals[node];
  if (w->arcs[node] == NO_ARC)
    return;
  struct stack_arc *arc = &t->arcs[w->arcs[node]];
  bool outermost = w->functions[arc->callee]++ == 0;
  t->self[arc->callee] += c->ticks;
  t->total[arc->callee] += outermost ? w->totals[node] : 0;
  arc->outermost += outermost ? w->totals[node] : 0;
  arc->active += w->calls[w->arcs[node]]++ == 0 ? w->totals[node] : 0;
}

static void
go_out (struct walk *w, uint32_t node)
{
  if (w->arcs[node] == NO_ARC)
    return;
  w->functions[w->times->arcs[w->arcs[node]].callee]--;
  w->calls[w->arcs[node]]--;
}

/* Adds all nodes beneath TOP, and TOP. */
static void
go_through (struct walk *w, uint32_t top)
{
  const struct context *nodes = w->tree->nodes;
  uint32_t node = top;
  go_in (w, node);
  for (;;)
    if (nodes[node].first != 0)
      go_in (w, node = nodes[node].first);
    else
      {
        for (; node != top && nodes[node].next == 0; node = nodes[node].parent)
          go_out (w, node);
        go_out (w, node);
        if (node == top)
          return;
        go_in (w, node = nodes[node].next);
      }
}

static void
go_through_threads (struct walk *w, const bool *wanted)
{
  const struct context *nodes = w->tree->nodes;
  for (uint32_t root = nodes[0].first; root != 0; root = nodes[root].next)
    {
      bool is_thread = nodes[root].kind == BBX_FRAME_THREAD;
      if (wanted && !(is_thread && wanted[nodes[root].address]))
        continue;
      if (is_thread)
        w->times->threads[nodes[root].address] += w->totals[root];
      go_through (w, root);
    }
}

bool
stack_times_make (struct stack_times *t, const struct contexts *tree, size_t nthreads,
                  size_t nsymbols, const bool *wanted)
{
  *t = (struct stack_times) { .self = calloc (nsymbols + 1, sizeof *t->self),
                              .total = calloc (nsymbols + 1, sizeof *t->total),
                              .threads = calloc (nthreads + 1, sizeof *t->threads) };
  struct walk w = { .times = t,
                    .tree = tree,
                    .totals = contexts_totals (tree),
                    .arcs = malloc ((tree->count + 1) * sizeof *w.arcs),
                    .functions = calloc (nsymbols + 1, sizeof *w.functions) };
  bool ok = t->self && t->total && t->threads && w.totals && w.arcs && w.functions;
  for (size_t i = 0; ok && i < tree->count; i++)
    w.arcs[i] = NO_ARC;
  ok = ok && find_arcs (&w) && order_by_callee (t)
       && (w.calls = calloc (t->narcs + 1, sizeof *w.calls));
  if (ok && tree->count > 0)
    go_through_threads (&w, wanted);
  free (w.calls);
  free (w.functions);
  free (w.arcs);
  free (w.totals);
  return ok;
}

void
stack_times_free (struct stack_times *t)
{
  free (t->self);
  free (t->total);
  free (t->threads);
  free (t->arcs);
  free (t->by_callee);
  memset (t, 0, sizeof *t);
}

/* Lookup. */

static bool
is_before (const struct stack_arc *a, uint32_t caller, uint32_t callee)
{
  return a->caller < caller || (a->caller == caller && a->callee < callee);
}

/* The first arc at or behind the pair. */
static size_t
lower_bound (const struct stack_times *t, uint32_t caller, uint32_t callee)
{
  return ARRAY_BEFORE (i, t->narcs, is_before (&t->arcs[i], caller, callee));
}

size_t
stack_times_callees (const struct stack_times *t, uint32_t caller, struct stack_arc **first)
{
  size_t low = lower_bound (t, caller, 0), n = 0;
  *first = &t->arcs[low];
  while (low + n < t->narcs && t->arcs[low + n].caller == caller)
    n++;
  return n;
}

size_t
stack_times_callers (const struct stack_times *t, uint32_t callee, struct stack_arc *const **first)
{
  size_t before = ARRAY_BEFORE (i, t->narcs, t->by_callee[i]->callee < callee), n = 0;
  *first = &t->by_callee[before];
  while (before + n < t->narcs && t->by_callee[before + n]->callee == callee)
    n++;
  return n;
}

const struct stack_arc *
stack_times_arc (const struct stack_times *t, uint32_t caller, uint32_t callee)
{
  size_t i = lower_bound (t, caller, callee);
  return i < t->narcs && t->arcs[i].caller == caller && t->arcs[i].callee == callee ? &t->arcs[i]
                                                                                    : NULL;
}
