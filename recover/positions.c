/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "recover/positions.h"
#include "runtime/dump/dump.h"

/* The kind of edge by which a path reaches the last node: the path starts there, goes along an
   edge into it, or against an edge out of it. */
enum { START = 1, INTO = 2, OUT = 4, ALL = START | INTO | OUT };

/* The tree. */

static bool
make_room (struct positions *s, size_t nodes)
{
  if (nodes <= s->room)
    return true;
  positions_free (s);
  uint32_t *numbers = calloc (8 * nodes, sizeof *numbers);
  unsigned char *bytes = calloc (4 * nodes, sizeof *bytes);
  s->order = numbers;
  s->gate = bytes;
  if (!numbers || !bytes)
    return false;
  s->up = numbers + nodes, s->degree = numbers + 2 * nodes, s->edges = numbers + 3 * nodes,
  s->top = numbers + 4 * nodes;
  s->fixed = numbers + 5 * nodes, s->within = numbers + 6 * nodes, s->into = numbers + 7 * nodes;
  s->by = bytes + nodes, s->good = (bool *) (bytes + 2 * nodes),
  s->may = (bool *) (bytes + 3 * nodes);
  s->room = nodes;
  return true;
}

void
positions_free (struct positions *s)
{
  free (s->order);
  free (s->gate);
  *s = (struct positions) { 0 };
}

static uint32_t
other_end (const struct bbp_graph_edge *edge, uint32_t node)
{
  return edge->from == node ? edge->to : edge->from;
}

/* Adds NODE, if it has become a leaf, then in turn its parents. */
static void
hang (struct positions *s, const struct bbp_graph *graph, uint32_t node)
{
  while (node != BBP_OUTSIDE && s->degree[node] == 1)
    {
      const uint32_t number = s->edges[node], other = other_end (&graph->edges[number], node);
      s->order[s->n++] = node;
      s->up[node] = number;
      s->degree[node] = 0;
      s->degree[other]--;
      s->edges[other] ^= number;
      node = other;
    }
}

static void
make_tree (struct positions *s, const struct bbp_graph *graph)
{
  s->n = 0;
  for (size_t i = 0; i < graph->nnodes; i++)
    {
      s->degree[i] = s->edges[i] = s->within[i] = s->into[i] = s->gate[i] = 0;
      s->up[i] = (uint32_t) graph->nedges;
      s->top[i] = BBP_OUTSIDE;
      s->good[i] = s->may[i] = false;
    }
  for (uint32_t i = 0; i < graph->nedges; i++)
    for (int end = 0; end < 2 && !graph->edges[i].counted; end++)
      {
        const uint32_t node = end ? graph->edges[i].to : graph->edges[i].from;
        s->degree[node]++;
        s->edges[node] ^= i;
      }
  for (uint32_t node = 0; node < graph->nnodes; node++)
    hang (s, graph, node);
}

uint32_t
positions_hanging (const struct positions *s, const struct bbp_graph *graph, uint32_t edge)
{
  const uint32_t from = graph->edges[edge].from, to = graph->edges[edge].to;
  return from != BBP_OUTSIDE && s->up[from] == edge ? from
         : to != BBP_OUTSIDE && s->up[to] == edge   ? to
                                                    : BBP_OUTSIDE;
}

/* Decides which paths may pass the last nodes. */

static uint64_t
count_of (const struct bbp_counts *functions, uintptr_t function)
{
  return function ? bbp_counts_of (functions, 0, function) : 0;
}

uintptr_t
positions_callee (const struct facts *f, const struct bbp_graph_call *call, uintptr_t *from)
{
  uintptr_t self;
  if (!(call->kind & BBP_CALL_DIRECT)
      || !bbp_calls_direct (f->functions, call->point, call->kind & BBP_CALL_TAIL, from, &self))
    return 0;
  return self;
}

const struct bbp_count *
positions_hook (const struct facts *f, const struct bbp_graph_call *call, uintptr_t start,
                uintptr_t self)
{
  for (size_t i = 0; i < f->hooks.n && self && !(call->kind & BBP_CALL_DIRECT); i++)
    {
      const struct bbp_count *arc = &f->hooks.item[i];
      if (arc->self == self && start < arc->from && arc->from <= call->point)
        return arc;
    }
  return NULL;
}

/* May an activation of the function not have returned yet? */
static bool
may_be_active (const struct bbp_graph *graph, const struct facts *f)
{
  return (int64_t) (count_of (&f->entered, graph->entry) - count_of (&f->returned, graph->entry))
         > 0;
}

/* Before the call, or behind it and not counted yet; in the segment that begins behind START. */
static unsigned
gate_of_call (const struct bbp_graph_call *call, uintptr_t start, const struct facts *f)
{
  uintptr_t from;
  const uintptr_t self = positions_callee (f, call, &from);
  unsigned gate = f->lacks == 0 || f->lacks == self ? START | INTO : 0;
  if (positions_hook (f, call, start, f->lacks))
    gate |= START;
  if (f->lacks == 0
      && (self == 0 || (int64_t) (count_of (&f->left, self) - count_of (&f->returned, self)) > 0))
    gate |= OUT;
  return gate;
}

/* Before leaving the function, by CALL or, if that is null, by returning. */
static unsigned
gate_of_leaving (const struct bbp_graph *graph, const struct bbp_graph_call *call, uintptr_t start,
                 const struct facts *f)
{
  if ((int64_t) (count_of (&f->left, graph->entry) - count_of (&f->returned, graph->entry)) <= 0)
    return 0;
  unsigned gate = f->lacks == 0 ? ALL : 0;
  return call ? (gate_of_call (call, start, f) & (START | INTO)) | (gate & OUT) : gate;
}

/* Behind the function's entry and before a counter, or before a jump back to the entry.  An
   unrecorded call is assumed to have begun only if others have ended, if the thread did nothing
   else, or if it explains the thread's existence. */
static unsigned
gate_of_entry (const struct bbp_graph *graph, const struct facts *f)
{
  if (f->lacks)
    return f->lacks == graph->entry ? INTO | OUT : 0;
  const uint64_t outside = count_of (f->outside, graph->entry);
  return outside >= FACTS_ENDED || (outside && !f->entered.n)
                 || !count_of (&f->entered, graph->entry)
             ? INTO | OUT
             : 0;
}

static void
find_gates_of_block (struct positions *s, const struct bbp_graph *graph, size_t number, bool active,
                     const struct facts *f)
{
  const struct bbp_graph_block *block = &graph->blocks[number];
  const struct bbp_graph_call *call = &graph->calls[block->calls];
  const struct bbp_graph_call *end
      = &graph->calls[number + 1 < graph->nblocks ? block[1].calls : graph->ncalls];
  uint32_t segment = block->segment;
  uintptr_t start = block->address;
  if (block->shape & BBP_BLOCK_IN)
    s->gate[bbp_graph_in (number)] = (unsigned char) (number == 0 ? gate_of_entry (graph, f)
                                                      : active && f->lacks == 0 ? ALL
                                                                                : 0);
  if (!active)
    return;
  for (; call < end && !(call->kind & BBP_CALL_FINAL); call++, segment++)
    {
      s->gate[segment] = (unsigned char) gate_of_call (call, start, f);
      start = call->point;
    }
  if (block->shape & BBP_BLOCK_OUT)
    s->gate[segment] = (unsigned char) gate_of_leaving (graph, call < end ? call : NULL, start, f);
  else if ((block->shape & BBP_BLOCK_LEAVES) && segment == block->segment)
    s->gate[segment] = f->lacks ? 0 : ALL;
}

static void
find_gates (struct positions *s, const struct bbp_graph *graph, const struct facts *f)
{
  const bool active = may_be_active (graph, f);
  for (size_t i = 0; i < graph->nblocks && !f->strange; i++)
    find_gates_of_block (s, graph, i, active, f);
  for (size_t i = 0; i < graph->nnodes && f->strange; i++)
    s->gate[i] = ALL;
}

/* Along the tree. */

static bool
is_top (const struct positions *s, uint32_t node)
{
  return s->top[node] == node;
}

static uint32_t
count_torn (const struct bbp_graph *graph)
{
  uint32_t n = 0;
  for (size_t i = 0; i < graph->nedges; i++)
    n += (int64_t) graph->edges[i].count < 0;
  return n;
}

static void
find_possible (struct positions *s, const struct bbp_graph *graph, const struct facts *f)
{
  const uint32_t torn = count_torn (graph);
  for (size_t i = s->n; i-- > 0;)
    {
      const uint32_t node = s->order[i];
      const struct bbp_graph_edge *edge = &graph->edges[s->up[node]];
      const uint32_t other = other_end (edge, node);
      const bool first = other == BBP_OUTSIDE;
      s->top[node] = first ? node : s->top[other];
      s->by[node] = first                ? START
                    : !is_top (s, other) ? s->by[other]
                    : edge->to == other  ? INTO
                                         : OUT;
      s->good[node] = (first || s->good[other])
                      && (int64_t) edge->count >= (edge->from == node ? 1 : -1);
      s->fixed[node] = (first ? 0 : s->fixed[other]) + ((int64_t) edge->count < 0);
      s->may[node] = s->good[node] && (s->gate[s->top[node]] & s->by[node])
                     && (f->strange || s->fixed[node] == torn);
    }
}

static void
sum_up (struct positions *s, const struct bbp_graph *graph)
{
  s->possible = 0;
  for (size_t i = 0; i < s->n; i++)
    {
      const uint32_t node = s->order[i];
      const struct bbp_graph_edge *edge = &graph->edges[s->up[node]];
      const uint32_t other = other_end (edge, node);
      s->within[node] += s->may[node];
      s->into[node] += s->may[node];
      s->possible += s->may[node];
      if (other == BBP_OUTSIDE)
        continue;
      s->within[other] += s->within[node];
      if (edge->to == other)
        s->into[other] += s->within[node];
    }
}

bool
positions_find (struct positions *s, const struct bbp_graph *graph, const struct facts *f)
{
  if (!make_room (s, graph->nnodes))
    return false;
  make_tree (s, graph);
  s->possible = 0;
  if (f->torn && !f->strange && f->torn != graph->entry)
    return true;
  find_gates (s, graph, f);
  find_possible (s, graph, f);
  sum_up (s, graph);
  return true;
}
