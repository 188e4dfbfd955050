/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the map's graph from the compiler's control flow graph: blocks, cut into segments at
   their calls, and the flow that comes from outside or goes there. */
#include "gcc-plugin/graph.h"
#include "gcc-plugin/state.h"

/* An edge of the map: neither to the outside, nor one that leaves its block half-way or by an
   address. */
static bool
is_plain (edge e)
{
  return !(e->flags & BBP_EDGE_STRAY) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun);
}

/* Does it matter which call of a block has not returned?  Without arcs and traces only the block's
   last call matters, because control then reaches none of the edges behind it. */
static bool
needs_all_calls (const struct bbp_graph *graph)
{
  return bbp_unit_state.arcs == BBP_ARCS_STATIC || graph->traced || bbp_options.map_only;
}

static void
find_calls (struct bbp_graph *graph, struct bbp_graph_block *block, const rtx_insn *hook)
{
  block->first_call = graph->calls.length ();
  rtx_insn *insn;
  FOR_BB_INSNS (block->bb, insn)
  {
    struct bbp_call_site call;
    if (!NONDEBUG_INSN_P (insn) || insn == hook || !bbp_call_find (insn, &call))
      continue;
    if (!needs_all_calls (graph))
      graph->calls.truncate (block->first_call);
    graph->calls.safe_push (call);
  }
  block->ncalls = graph->calls.length () - block->first_call;
}

static void
find_edges (struct bbp_graph *graph, struct bbp_graph_block *block, const auto_vec<int> &index)
{
  block->first_edge = graph->edges.length ();
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->bb->succs)
  if (is_plain (e))
    {
      struct bbp_graph_edge item = {};
      item.e = e;
      item.target = index[e->dest->index];
      graph->edges.safe_push (item);
    }
  block->nedges = graph->edges.length () - block->first_edge;
}

static bool
has_stray (vec<edge, va_gc> *edges)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, edges)
  if (e->flags & BBP_EDGE_STRAY)
    return true;
  return false;
}

/* Does nothing countable follow BLOCK's last call? */
static bool
ends_with_final_call (const struct bbp_graph_block *block)
{
  return block->ncalls && !block->nedges;
}

/* Finds how control enters and leaves BLOCK, and the block's segments. */
static void
find_ends (struct bbp_graph *graph, struct bbp_graph_block *block)
{
  basic_block bb = block->bb;
  block->in = has_stray (bb->preds) || find_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun), bb);
  if (ends_with_final_call (block))
    graph->calls[block->first_call + block->ncalls - 1].final = true;
  block->nsegments = 1;
  bool ends_in_call = false;
  for (int i = 0; i < block->ncalls; i++)
    {
      const struct bbp_call_site *call = &graph->calls[block->first_call + i];
      block->nsegments += !call->final;
      ends_in_call = call->insn == BB_END (bb);
    }
  block->out = !block->nedges || (has_stray (bb->succs) && !ends_in_call);
}

/* Does a segment of BLOCK end at a call? */
static bool
has_stop (const struct bbp_graph_block *block)
{
  return block->nsegments > 1 || block->out;
}

/* The blocks of the loop that the edge from LAST to HEAD closes: those that lead to LAST without
   passing HEAD. */
static void
find_body (basic_block last, basic_block head, auto_vec<basic_block> &body, auto_vec<char> &inside)
{
  inside.safe_grow_cleared (last_basic_block_for_fn (cfun), true);
  inside[ENTRY_BLOCK] = inside[head->index] = inside[last->index] = true;
  body.safe_push (head);
  if (last != head)
    body.safe_push (last);
  for (unsigned i = 1; i < body.length (); i++)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, body[i]->preds)
      if (!inside[e->src->index])
        {
          inside[e->src->index] = true;
          body.safe_push (e->src);
        }
    }
}

static bool
has_volatile (basic_block bb)
{
  rtx_insn *insn;
  FOR_BB_INSNS (bb, insn)
  if (NONDEBUG_INSN_P (insn) && volatile_refs_p (PATTERN (insn)))
    return true;
  return false;
}

/* Can a thread wait in the loop that the edge from LAST to HEAD closes?  Then the loop has no way
   out, or reads what others write: only volatile and atomic variables may change meanwhile. */
static bool
may_wait (basic_block last, basic_block head)
{
  auto_vec<basic_block> body;
  auto_vec<char> inside;
  find_body (last, head, body, inside);
  bool exits = false;
  for (basic_block bb : body)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, bb->succs)
      exits |= !inside[e->dest->index];
      if (has_volatile (bb))
        return true;
    }
  return !exits;
}

/* FROM and TO: the blocks of an edge that closes a loop, found by depth-first search.  A thread
   may be in a loop without calls when the process is killed, and then it is not known where.  Most
   likely it waits, so the head of a loop in which it can wait gets an edge to the outside. */
static void
close_loop (struct bbp_graph *graph, int from, int to)
{
  struct bbp_graph_block *head = &graph->blocks[to], *last = &graph->blocks[from];
  if (!has_stop (head) && !has_stop (last) && may_wait (last->bb, head->bb))
    head->leaves = true;
}

static void
find_loops (struct bbp_graph *graph, int start, auto_vec<char> &state, auto_vec<int> &next)
{
  enum { NEW, OPEN, DONE };
  auto_vec<int> stack;
  stack.safe_push (start);
  state[start] = OPEN;
  while (!stack.is_empty ())
    {
      int from = stack.last ();
      const struct bbp_graph_block *block = &graph->blocks[from];
      if (next[from] == block->nedges)
        {
          state[from] = DONE;
          stack.pop ();
          continue;
        }
      int to = graph->edges[block->first_edge + next[from]++].target;
      if (state[to] == OPEN)
        close_loop (graph, from, to);
      else if (state[to] == NEW)
        {
          state[to] = OPEN;
          stack.safe_push (to);
        }
    }
}

static void
find_all_loops (struct bbp_graph *graph)
{
  auto_vec<char> state;
  auto_vec<int> next;
  state.safe_grow_cleared (graph->blocks.length (), true);
  next.safe_grow_cleared (graph->blocks.length (), true);
  for (unsigned i = 0; i < graph->blocks.length (); i++)
    if (!state[i])
      find_loops (graph, i, state, next);
}

void
bbp_graph_make (struct bbp_graph *graph, function *fn, rtx_insn *hook)
{
  auto_vec<int> index;
  index.safe_grow_cleared (last_basic_block_for_fn (fn), true);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
  {
    struct bbp_graph_block block = {};
    block.bb = bb;
    index[bb->index] = graph->blocks.length ();
    graph->blocks.safe_push (block);
  }
  graph->nnodes = 1;
  for (auto &block : graph->blocks)
    {
      find_calls (graph, &block, hook);
      find_edges (graph, &block, index);
      find_ends (graph, &block);
      block.node = graph->nnodes;
      graph->nnodes += 1 + block.nsegments;
    }
  find_all_loops (graph);
}
