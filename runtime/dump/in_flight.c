/* SPDX-License-Identifier: MIT */
/* Threads that were interrupted inside a function and had not continued when the counters were
   read.  They entered a segment and did not leave it.  Without this correction, the counts after it
   would be 1 too high.  Context: cold. */
#include "runtime/dump/decoder.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"

/* The last block from FIRST, below STOP, that does not begin after PC; STOP: there is none. */
static size_t
find_in_part (const struct bbp_graph *graph, size_t first, size_t stop, uintptr_t pc)
{
  size_t low = first, high = stop;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (graph->blocks[middle].address <= pc)
        low = middle + 1;
      else
        high = middle;
    }
  bool found
      = low > first
        && (low < stop || bbp_dump_above.is_one_function (graph->blocks[stop - 1].address, pc));
  return found ? low - 1 : stop;
}

/* The block that contains PC, or the number of blocks.  The map does not tell where the last block
   of a part ends. */
static size_t
find (const struct bbp_graph *graph, uintptr_t pc)
{
  size_t hot = graph->nblocks - graph->ncold, block = find_in_part (graph, 0, hot, pc);
  return block < hot ? block : find_in_part (graph, hot, graph->nblocks, pc);
}

#define COUNTING_BYTES 64 /* bytes; at least the size of the code that increments a counter */

static uintptr_t
run_time_address (const struct bbp_graph *graph, const int64_t *counter)
{
  return (uintptr_t) counter - graph->moved;
}

/* The end of the code that counts EDGE, if that is between START and a little behind PC; 0: it is
   not. */
static uintptr_t
end_of_counting (const struct bbp_graph *graph, uint32_t edge, uintptr_t start, uintptr_t pc)
{
  size_t n, wanted = pc - start + COUNTING_BYTES;
  const unsigned char *code = bbp_dump_above.code_at (start, &n);
  const int64_t *counter = graph->counters;
  if (!code || !graph->edges[edge].counted)
    return 0;
  for (uint32_t i = 0; i < edge; i++)
    counter += graph->edges[i].counted;
  return bbp_decoder ()->counting_end (code, n < wanted ? n : wanted, start,
                                       run_time_address (graph, counter),
                                       run_time_address (graph, graph->counters));
}

/* The edge that is counted at the head of BLOCK: that into its segment, or the only one that leads
   to it; the number of edges: none is. */
static uint32_t
edge_into (const struct bbp_graph *graph, size_t block)
{
  uint32_t edge = graph->blocks[block].edges, into = (uint32_t) graph->nedges, n = 0;
  if (graph->edges[edge].counted)
    return edge;
  for (edge = 0; edge < graph->nedges; edge++)
    if (graph->edges[edge].to == bbp_graph_in (block) && n++ == 0)
      into = edge;
  return n == 1 && graph->edges[into].counted ? into : (uint32_t) graph->nedges;
}

/* The code that counts one of several edges into a block is placed behind another block, and jumps
   to its target.  If PC is in such code, or a little behind it: the node where control is; else
   NODE.  START: the start of the block before; HEAD: the edge that is counted there. */
static uint32_t
node_between (const struct bbp_graph *graph, uint32_t head, uintptr_t start, uintptr_t pc,
              uint32_t node)
{
  uintptr_t from = pc - start > COUNTING_BYTES ? pc - COUNTING_BYTES : start, last = 0;
  size_t n, before = pc - from;
  const unsigned char *code = bbp_dump_above.code_at (from, &n);
  const int64_t *counter = graph->counters;
  uintptr_t counters = run_time_address (graph, counter);
  for (uint32_t i = 0; i < graph->nedges && code && before < n; i++)
    {
      const struct bbp_graph_edge *edge = &graph->edges[i];
      uintptr_t address = run_time_address (graph, counter);
      counter += edge->counted;
      if (!edge->counted || i == head || !bbp_graph_is_in (graph, edge->to))
        continue;
      if (bbp_decoder ()->counts (code + before, before, n - before, pc, address, counters))
        return edge->from;
      uintptr_t end = bbp_decoder ()->counting_end (code, before, from, address, counters);
      if (end > last)
        {
          last = end;
          node = edge->to;
        }
    }
  return node;
}

static size_t
calls_end (const struct bbp_graph *graph, size_t block)
{
  return block + 1 < graph->nblocks ? graph->blocks[block + 1].calls : graph->ncalls;
}

/* The only edge out of NODE, the last segment of BLOCK; the number of edges: there are several, or
   NODE is not the last segment. */
static uint32_t
only_edge_out (const struct bbp_graph *graph, size_t block, uint32_t node)
{
  uint32_t last = (uint32_t) bbp_graph_edges_end (graph, block) - 1;
  const struct bbp_graph_edge *edge = &graph->edges[last];
  bool only = edge->from == node && bbp_graph_is_in (graph, edge->to) && edge[-1].from != node;
  return only ? last : (uint32_t) graph->nedges;
}

/* The node of a thread at PC in BLOCK, from the counters' point of view.  A counter after PC has
   not counted it, at the head of the block or behind a call; a counter before PC at the block's end
   has. */
static uint32_t
node_at (const struct bbp_graph *graph, size_t block, uintptr_t pc)
{
  uint32_t node = graph->blocks[block].segment, edge = edge_into (graph, block),
           before = BBP_OUTSIDE;
  uintptr_t start = graph->blocks[block].address;
  if (edge < graph->nedges)
    before = graph->edges[edge].from;
  for (size_t i = graph->blocks[block].calls; i < calls_end (graph, block); i++)
    {
      const struct bbp_graph_call *call = &graph->calls[i];
      if (call->point > pc || (call->kind & BBP_CALL_FINAL))
        break;
      start = call->point;
      node = call->segment + 1;
      before = BBP_OUTSIDE; /* the call has not returned */
      for (edge = graph->blocks[block].edges; graph->edges[edge].to != node; edge++)
        ;
    }
  if (edge < graph->nedges && end_of_counting (graph, edge, start, pc) > pc)
    return before;
  uint32_t way = only_edge_out (graph, block, node);
  uintptr_t end = way < graph->nedges ? end_of_counting (graph, way, start, pc) : 0;
  return node_between (graph, edge, start, pc, end && end <= pc ? graph->edges[way].to : node);
}

/* In front of its first block a function checks whether the thread is attached. */
static bool
is_at_entry (const struct bbp_graph *graph, uintptr_t pc)
{
  return pc - graph->entry < graph->blocks->address - graph->entry;
}

/* The node that contains PC; BBP_OUTSIDE: none. */
static uint32_t
find_node (const struct bbp_graph *graph, uintptr_t pc)
{
  if (is_at_entry (graph, pc))
    return bbp_graph_in (0);
  size_t block = find (graph, pc);
  return block < graph->nblocks ? node_at (graph, block, pc) : BBP_OUTSIDE;
}

static bool
find_zone (uintptr_t pc, struct bbp_zone *zone)
{
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    for (const struct bbp_map_function *function = NULL;
         (function = bbp_map_next (module, function));)
      if (bbp_map_zone (module, function, pc, zone))
        return true;
  return false;
}

uintptr_t
bbp_flow_home (uintptr_t pc)
{
  struct bbp_zone zone;
  return find_zone (pc, &zone) ? zone.place : pc;
}

static bool
is_recorded (uintptr_t pc, enum bbp_word *word)
{
  struct bbp_zone zone;
  bool recorded = find_zone (pc, &zone) && zone.recorded;
  *word = recorded && zone.full ? BBP_WORD_FULL : BBP_WORD_FILLS;
  return recorded;
}

/* While the function that pushes the bit runs, PC is 1 or 2 bytes before its return address
   (bbp_arch_hook_caller). */
bool
bbp_flow_is_ahead (uintptr_t pc, enum bbp_word *word)
{
  if (is_recorded (pc, word))
    return true;
  if (is_recorded (pc + 1, word) || !is_recorded (pc + 2, word))
    return false;
  *word = BBP_WORD_FULL_OR_PUT;
  return true;
}

/* The record of the MODULE's function that begins closest before PC; null: none. */
static const struct bbp_map_function *
nearest (const struct bbp_module *module, uintptr_t pc)
{
  const struct bbp_map_function *best = NULL;
  uintptr_t least = UINTPTR_MAX;
  for (const struct bbp_map_function *function = NULL;
       (function = bbp_map_next (module, function));)
    if (pc - bbp_map_entry (module, function) < least)
      {
        best = function;
        least = pc - bbp_map_entry (module, function);
      }
  return best;
}

/* Functions have up to two parts, which are contiguous, so it is that of the part which begins
   closest before. */
void
bbp_flow_place (const struct bbp_module *module, const struct bbp_in_flight *list, size_t n,
                struct bbp_place *places)
{
  for (size_t i = 0; i < n; i++)
    places[i] = (struct bbp_place) { .behind = UINTPTR_MAX };
  for (const struct bbp_map_function *function = NULL;
       (function = bbp_map_next (module, function));)
    {
      uintptr_t entry = bbp_map_entry (module, function), cold = bbp_map_cold (module, function);
      for (size_t i = 0; i < n; i++)
        {
          uintptr_t behind = list[i].pc - entry;
          if (cold && list[i].pc - cold < behind)
            behind = list[i].pc - cold;
          if (behind < places[i].behind)
            places[i] = (struct bbp_place) { function, behind };
        }
    }
}

/* The block of GRAPH at whose head PC is, in front of its counter; 0: none. */
static uintptr_t
uncounted (const struct bbp_graph *graph, uintptr_t pc)
{
  if (is_at_entry (graph, pc))
    return graph->blocks->address;
  size_t block = find (graph, pc);
  if (block == graph->nblocks)
    return 0;
  uintptr_t address = graph->blocks[block].address;
  size_t call = graph->blocks[block].calls;
  bool called = call < calls_end (graph, block) && graph->calls[call].point <= pc;
  uint32_t edge = edge_into (graph, block);
  return !called && edge < graph->nedges && end_of_counting (graph, edge, address, pc) > pc
             ? address
             : 0;
}

uintptr_t
bbp_flow_uncounted (uintptr_t pc)
{
  uintptr_t block = 0;
  for (const struct bbp_module *module = bbp.modules; module && !block; module = module->next)
    {
      struct bbp_graph graph;
      const struct bbp_map_function *function = nearest (module, pc);
      if (!function || bbp_graph_make (&graph, module))
        continue;
      if (bbp_graph_read (&graph, module, function))
        block = uncounted (&graph, pc);
      bbp_graph_free (&graph);
    }
  return block;
}

bool
bbp_flow_interrupt (struct bbp_graph *graph, struct bbp_in_flight where)
{
  uint32_t node = find_node (graph, where.pc);
  if (node == BBP_OUTSIDE)
    return false;
  graph->nodes[node].balance -= (uint64_t) where.weight;
  return true;
}
