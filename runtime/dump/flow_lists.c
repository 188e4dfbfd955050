/* SPDX-License-Identifier: MIT */
/* Lists derived from the modules' counters (struct bbp_flow): executions of blocks and edges,
   direct calls, entries.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"
#include "runtime/objects/objects.h"

/* A module and the lists made of it. */
struct source {
  const struct bbp_module *module;
  const struct bbp_object *object; /* that contains it */
  const struct bbp_counts *entries;
  struct bbp_graph graph;                 /* one function at a time */
  const struct bbp_in_flight *interrupts; /* at the time of the totals */
  size_t ninterrupts;
  struct bbp_place *places; /* of the interrupts */
  struct bbp_flow *flow;
  int error;
};

static void
put (struct source *source, enum bbp_flow_kind kind, uintptr_t from, uintptr_t self, uint64_t count)
{
  if (!bbp_counts_put (&source->flow->list[kind], from, self, count))
    source->error = -ENOMEM;
}

static uintptr_t
virtual_block (const struct source *source, size_t block)
{
  return bbp_object_virtual (source->object, source->graph.blocks[block].address);
}

/* True if BLOCK has no code.  Control then falls through into the next block, which has the same
   address and represents both. */
static bool
is_empty (const struct bbp_graph *graph, size_t block)
{
  return block + 1 < graph->nblocks
         && graph->blocks[block].address == graph->blocks[block + 1].address;
}

/* True if jumps out of BLOCK are counted where they are made: it has a call that may return. */
static bool
has_calls (const struct bbp_graph *graph, size_t block)
{
  size_t next = block + 1 < graph->nblocks ? graph->blocks[block + 1].calls : graph->ncalls;
  for (size_t i = graph->blocks[block].calls; i < next; i++)
    if (!(graph->calls[i].kind & BBP_CALL_FINAL))
      return true;
  return false;
}

/* Likewise jumps to BLOCK, because it is a landing pad. */
static bool
is_landing (const struct bbp_graph *graph, size_t block)
{
  return block && (graph->blocks[block].shape & BBP_BLOCK_IN);
}

static void
put_edge (struct source *source, size_t from, size_t to, uint64_t count)
{
  const struct bbp_graph *graph = &source->graph;
  uintptr_t here = virtual_block (source, from), there = virtual_block (source, to);
  put (source, BBP_EDGES, here, there, count);
  if ((graph->flags & BBP_FUNCTION_TRACED) && !has_calls (graph, from) && !is_landing (graph, to))
    put (source, BBP_JUMPS, here, there, count);
}

/* The edges of BLOCK; all edges to outside are one. */
static void
put_edges (struct source *source, size_t block)
{
  const struct bbp_graph *graph = &source->graph;
  const struct bbp_graph_edge *edge = &graph->edges[graph->blocks[block].edges];
  const struct bbp_graph_edge *stop = &graph->edges[bbp_graph_edges_end (graph, block)];
  uintptr_t here = virtual_block (source, block);
  uint64_t left = 0;
  for (; edge < stop; edge++)
    if (edge->from == BBP_OUTSIDE)
      put (source, BBP_EDGES, 0, here, edge->count);
    else if (edge->to == BBP_OUTSIDE)
      left += edge->count;
    else if (bbp_graph_is_in (graph, edge->to) && !is_empty (graph, block))
      put_edge (source, block, bbp_graph_block_of (edge->to), edge->count);
  put (source, BBP_EDGES, here, 0, left);
}

static void
put_call (struct source *source, const struct bbp_graph_call *call)
{
  uint64_t count = bbp_flow_calls (&source->graph, call);
  uintptr_t from, self;
  if (count && (call->kind & BBP_CALL_DIRECT)
      && bbp_calls_direct (source->entries, call->point, call->kind & BBP_CALL_TAIL, &from, &self))
    put (source, BBP_CALLS, bbp_object_virtual (source->object, from),
         bbp_object_virtual (bbp_object_at (self), self), count);
}

/* Threads that were killed in these nodes entered them and did not leave; returns whether there are
   any. */
static bool
stop_killed (struct bbp_graph *graph)
{
  bool stopped = false;
  for (size_t i = 0; bbp.killed_positions && i < bbp.killed_positions->n; i++)
    if (bbp.killed_positions->item[i].from == graph->entry)
      {
        graph->nodes[bbp.killed_positions->item[i].self].balance
            -= bbp.killed_positions->item[i].count;
        stopped = true;
      }
  return stopped;
}

static void
put_arcs (struct source *source)
{
  const struct bbp_graph *graph = &source->graph;
  for (size_t i = 0; i < graph->ncalls; i++)
    put_call (source, &graph->calls[i]);
  put (source, BBP_ENTRIES, 0, bbp_object_virtual (source->object, graph->entry),
       bbp_flow_entries (graph));
}

static bool
are_zero (const int64_t *totals, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (totals[i])
      return false;
  return true;
}

/* True if FUNCTION was never entered, like most functions of a program, and no thread is in it, so
   there is nothing to derive.  Its record need not be read. */
static bool
is_untouched (const struct source *source, const struct bbp_map_function *function,
              const int64_t *totals)
{
  size_t first, stop;
  for (size_t i = 0; i < source->ninterrupts; i++)
    if (source->places[i].function == function)
      return false;
  return !bbp.killed_positions && bbp_map_counters (source->module, function, &first, &stop)
         && are_zero (totals + first, stop - first);
}

/* Adds FUNCTION, which is the current one.  TOTALS: the totals of its counters. */
static void
put_function (struct source *source, const struct bbp_map_function *function, const int64_t *totals)
{
  struct bbp_graph *graph = &source->graph;
  bool interrupted = stop_killed (graph);
  for (size_t i = 0; i < source->ninterrupts; i++)
    if (source->places[i].function == function)
      interrupted |= bbp_flow_interrupt (graph, source->interrupts[i]);
  if (!interrupted && are_zero (totals, graph->ncounters))
    return;
  if (!bbp_flow_derive (graph, totals))
    source->error = -EBADMSG;
  source->flow->lost += bbp_flow_clip (graph);
  bool hidden = bbp_dump_above.hides (virtual_block (source, 0));
  for (size_t i = 0; i < graph->nblocks && !hidden; i++)
    {
      if (!is_empty (graph, i))
        put (source, BBP_BLOCKS, 0, virtual_block (source, i),
             graph->nodes[bbp_graph_in (i)].passed);
      put_edges (source, i);
    }
  if (graph->flags & BBP_FUNCTION_ARCS)
    put_arcs (source);
}

static void
put_functions (struct source *source, const int64_t *totals)
{
  const struct bbp_module *module = source->module;
  for (const struct bbp_map_function *function = NULL;
       !source->error && (function = bbp_map_next (module, function));)
    if (is_untouched (source, function, totals))
      continue;
    else if (bbp_graph_read (&source->graph, module, function))
      put_function (source, function, totals + (source->graph.counters - module->counts_start));
    else
      source->error = -EBADMSG;
}

/* Append the counts of MODULE, which is in OBJECT, to FLOW. */
static int
put_module (struct bbp_flow *flow, struct bbp_module *module, const struct bbp_object *object,
            const struct bbp_counts *entries)
{
  struct source source = { .module = module, .object = object, .entries = entries, .flow = flow };
  int64_t *totals = bbp_totals_make (module);
  if (!totals)
    return -ENOMEM;
  source.ninterrupts = bbp_totals_in_flight (&source.interrupts);
  const size_t bytes = (source.ninterrupts + 1) * sizeof *source.places;
  source.places = bbp_pages_map (bytes);
  source.error = source.places ? bbp_graph_make (&source.graph, module) : -ENOMEM;
  if (!source.error)
    {
      bbp_flow_place (module, source.interrupts, source.ninterrupts, source.places);
      put_functions (&source, totals);
      bbp_graph_free (&source.graph);
    }
  bbp_pages_unmap (source.places, bytes);
  bbp_totals_free (totals, module);
  return source.error;
}

/* OBJECT will be unloaded. */
void
bbp_blocks_retire (struct bbp_object *object)
{
  struct bbp_module *module = bbp_module_in (object);
  struct bbp_counts entries = { 0 };
  struct bbp_flow flow = { 0 };
  if (!module)
    return;
  object->had_blocks = true;
  int error = bbp_calls_entries (&entries);
  if (!error)
    error = bbp_totals_find_in_flight ();
  if (!error)
    error = put_module (&flow, module, object, &entries);
  for (enum bbp_flow_kind kind = 0; kind < BBP_FLOWS && !error; kind++)
    {
      bbp_counts_unite (&flow.list[kind]);
      error = bbp_counts_keep (&bbp.retired_flow[kind], &flow.list[kind]);
    }
  if (!error)
    error = bbp_totals_settle (object);
  if (error)
    bbp.inexact = true;
  bbp.lost_flow += flow.lost;
  bbp_counts_free (&entries);
  bbp_flow_free (&flow);
}

static int
add_retired (struct bbp_counts *list, const struct bbp_counts *retired)
{
  if (!retired)
    return 0;
  bbp_counts_unite (list);
  return bbp_counts_add (list, retired);
}

int
bbp_blocks_merge (struct bbp_flow *flow, const struct bbp_counts *entries)
{
  int error = bbp_historic_put (flow);
  for (const struct bbp_object *object = bbp_object_executable (); object && !error;
       object = object->next)
    {
      struct bbp_module *module = bbp_module_in (object);
      error = module ? put_module (flow, module, object, entries) : 0;
    }
  for (enum bbp_flow_kind kind = 0; kind < BBP_FLOWS && !error; kind++)
    error = add_retired (&flow->list[kind], bbp.retired_flow[kind]);
  return error;
}

int
bbp_blocks_reset (void)
{
  int error = bbp_historic_reset ();
  if (bbp_totals_reset ())
    error = -ENOMEM;
  for (enum bbp_flow_kind kind = 0; kind < BBP_FLOWS; kind++)
    bbp_counts_drop (&bbp.retired_flow[kind], NULL);
  return error;
}

void
bbp_flow_free (struct bbp_flow *flow)
{
  for (enum bbp_flow_kind kind = 0; kind < BBP_FLOWS; kind++)
    bbp_counts_free (&flow->list[kind]);
}
