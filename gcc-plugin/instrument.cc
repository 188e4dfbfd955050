/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruments a function.  What it does, in the order of the resulting code:

   - With arcs=call, call mcount once per call of the function.  Placement `before': as the
     function's first instruction, behind endbr64, through __fentry__.  Placement `after': behind
     the prologue, where the frame pointer points to the caller's; GCC's own call is removed.
   - With ax, between these: trace points (trace.cc).
   - With init=entry, register the unit, at the same place and before that.
   - If the function counts for each thread, and code that does not could call it, make the thread
     known at the entry: before the prologue, or behind one that sets up a frame pointer.
   - Do both on the entry edge (hook.cc), so they are not repeated if the first block is a loop
     head.
   - With arcs=static, pass the callee of each indirect call to the run-time library.
   - Number every block, in the order of the code, also empty ones, and put label .LPB<n> at its
     head: behind the code label, and behind the hooks or such a prologue in a block that has
     them.  Put a label .LPC<n> behind every call, before a tail call.
   - Count what the graph (graph.cc) and the spanning tree (spanning_tree.cc) require: at the
     heads of blocks, behind calls, on edges (split.cc); each at the point and with the registers
     that liveness.cc chooses.
   - Change no flags, registers, stack or red zone that are in use.  Declare each register that
     does change to the compiler: callers compiled with -fipa-ra rely on it. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/instrument.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/trace.h"
#include "gcc-plugin/unit.h"

/* The same for a counter of GRAPH.  Its end is marked for the copies' counters. */
static void
insert_counter (const struct bbp_graph *graph, int counter, rtx_insn *start,
                const struct bbp_need *need, location_t location)
{
  unsigned block = BLOCK_FOR_INSN (start)->index;
  struct bbp_counter one = { counter, graph->first_counter, INVALID_REGNUM };
  if (block < graph->pointers.length ())
    one.pointer = graph->pointers[block];
  rtx_insn *insn = bbp_insert_counter (&one, start, need, location);
  if (graph->traced)
    bbp_emit_label ("LPBQ", counter, insn, location);
}

/* Numbers everything that the map numbers, in the map's order. */
static void
number (struct bbp_graph *graph)
{
  int *counter = &bbp_unit_state.ncounters;
  for (auto &block : graph->blocks)
    {
      block.label = bbp_unit_state.nblocks++;
      if (block.counted)
        block.counter = (*counter)++;
      for (int i = 0; i < block.ncalls; i++)
        {
          struct bbp_call_site *call = &graph->calls[block.first_call + i];
          call->label = bbp_unit_state.ncalls++;
          if (call->counted)
            call->counter = (*counter)++;
        }
      for (int i = 0; i < block.nedges; i++)
        if (graph->edges[block.first_edge + i].counted)
          graph->edges[block.first_edge + i].counter = (*counter)++;
    }
}

static void
instrument_call (const struct bbp_graph *graph, const struct bbp_call_site *call,
                 const struct bbp_need *need)
{
  rtx_insn *place = call->tail ? PREV_INSN (call->insn) : call->insn;
  location_t location = bbp_location_behind (place, INSN_LOCATION (call->insn));
  rtx_insn *label = bbp_emit_label ("LPC", call->label, place, location);
  if (call->traced)
    label = bbp_trace_call (graph, call, label, location);
  if (call->counted)
    insert_counter (graph, call->counter, label, need, location);
  else if (bbp_unit_state.macros->pads_calls && CALL_P (call->insn) && !call->tail)
    bbp_emit_pad (label, location);
}

static void
instrument_block (const struct bbp_graph *graph, const struct bbp_graph_block *block,
                  rtx_insn *hook, const struct bbp_need *need)
{
  rtx_insn *start = bbp_block_start (block->bb, hook);
  location_t location = bbp_block_location (block->bb, start);
  rtx_insn *label = bbp_emit_label ("LPB", block->label, start, location);
  if (graph->traced)
    label = bbp_trace_block (block, label, location);
  if (block->counted)
    insert_counter (graph, block->counter, label, need, location);
}

/* Finds a place for each edge that has a counter; must run before anything else is inserted. */
static void
split_edges (struct bbp_graph *graph)
{
  for (auto &block : graph->blocks)
    for (int i = 0; i < block.nedges; i++)
      {
        struct bbp_graph_edge *edge = &graph->edges[block.first_edge + i];
        if (edge->counted)
          edge->after = bbp_split_edge (edge->e, block.nedges == 1);
      }
}

static void
insert_code (struct bbp_graph *graph, rtx_insn *hook)
{
  struct bbp_need need = bbp_counter_need ();
  if (need.pointer && !graph->traced && optimize_function_for_speed_p (cfun))
    bbp_pointers_choose (graph, &need);
  if (graph->traced)
    bbp_trace_edges (graph);
  for (auto &edge : graph->edges)
    if (edge.counted)
      insert_counter (graph, edge.counter, edge.after, &need,
                      bbp_block_location (BLOCK_FOR_INSN (edge.after), edge.after));
  for (auto &call : graph->calls)
    instrument_call (graph, &call, &need);
  for (auto &block : graph->blocks)
    instrument_block (graph, &block, hook, &need);
  if (graph->traced)
    bbp_trace_copies (graph, &need);
  if (bbp_unit_state.arcs == BBP_ARCS_STATIC)
    for (auto &call : graph->calls)
      if (CALL_P (call.insn) && !call.direct)
        bbp_call_insert_hook (&call);
}

/* Makes the entry the only way into the first block from outside, because the entry's count is
   the function's. */
static void
separate_entry (function *fn)
{
  edge e, entry = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, entry->dest->preds)
  if (e->flags & BBP_EDGE_STRAY)
    {
      split_edge (entry);
      return;
    }
}

void
bbp_instrument (function *fn)
{
  if (!bbp_unit_state.macros && !bbp_unit_state.templates)
    return;
  crtl->profile = 0; /* bbp_unit_start () has left it on only where our own call replaces it */
  struct bbp_plan plan = bbp_filter_function (fn);
  if (bbp_unit_state.templates)
    {
      bbp_template_instrument (fn, plan);
      return;
    }
  rtx_insn *hook = bbp_insert_hook (fn, plan);
  if (!plan.blocks)
    return;
  separate_entry (fn);
  if (plan.trace || plan.trace_calls)
    bbp_trace_split_blocks (fn);
  if (bbp_unit_state.profile_block_flag == 1)
    {
      bbp_historic_a_instrument (fn, hook, plan.hooks);
      return;
    }
  if (bbp_unit_state.profile_block_flag == 2)
    {
      bbp_trace_calls_instrument (fn, hook, plan.trace_calls);
      return;
    }
  struct bbp_graph graph;
  graph.traced = plan.trace;
  bbp_graph_make (&graph, fn, hook);
  if (!bbp_options.map_only)
    bbp_spanning_tree_choose (&graph);
  graph.first_counter = bbp_unit_state.ncounters;
  number (&graph);
  split_edges (&graph);
  df_analyze ();
  if (graph.traced)
    {
      bbp_trace_prepare (&graph);
      df_analyze ();
    }
  insert_code (&graph, hook);
  bbp_unit_add_function (fn, &graph);
}
