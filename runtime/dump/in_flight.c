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

/* Where control is on a counted edge into a block. */
struct crossing {
  uint32_t edge; /* the number of edges: on none */
  bool counted;
};

/* The code that counts one of several edges into a block is placed behind another block, and jumps
   to its target.  Is PC in such code, or a little behind it?  START: the start of the block before;
   HEAD: the edge that is counted there. */
static struct crossing
crossing_at (const struct bbp_graph *graph, uint32_t head, uintptr_t start, uintptr_t pc)
{
  struct crossing crossing = { .edge = (uint32_t) graph->nedges };
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
        return (struct crossing) { i, false };
      uintptr_t end = bbp_decoder ()->counting_end (code, before, from, address, counters);
      if (end > last)
        {
          last = end;
          crossing = (struct crossing) { i, true };
        }
    }
  return crossing;
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

/* The segment of BLOCK that contains PC, as far as it can be told without its counters. */
struct segment {
  uintptr_t start;
  uint32_t node;
  uint32_t head;   /* the edge that is counted at START; the number of edges: none is */
  uint32_t before; /* the node where control is in front of that counter */
};

static struct segment
segment_at (const struct bbp_graph *graph, size_t block, uintptr_t pc)
{
  struct segment s = { .start = graph->blocks[block].address,
                       .node = graph->blocks[block].segment,
                       .head = edge_into (graph, block),
                       .before = BBP_OUTSIDE };
  if (s.head < graph->nedges)
    s.before = graph->edges[s.head].from;
  for (size_t i = graph->blocks[block].calls; i < calls_end (graph, block); i++)
    {
      const struct bbp_graph_call *call = &graph->calls[i];
      if (call->point > pc || (call->kind & BBP_CALL_FINAL))
        break;
      s.start = call->point;
      s.node = call->segment + 1;
      s.before = BBP_OUTSIDE; /* the call has not returned */
      for (s.head = graph->blocks[block].edges; graph->edges[s.head].to != s.node; s.head++)
        ;
    }
  return s;
}

static bool
is_before_counter (const struct bbp_graph *graph, const struct segment *s, uintptr_t pc)
{
  return s->head < graph->nedges && end_of_counting (graph, s->head, s->start, pc) > pc;
}

/* The node of a thread at PC in BLOCK, from the counters' point of view.  A counter after PC has
   not counted it, at the head of the block or behind a call; a counter before PC at the block's end
   has. */
static uint32_t
node_at (const struct bbp_graph *graph, size_t block, uintptr_t pc)
{
  const struct segment s = segment_at (graph, block, pc);
  if (is_before_counter (graph, &s, pc))
    return s.before;
  const struct crossing crossing = crossing_at (graph, s.head, s.start, pc);
  if (crossing.edge < graph->nedges)
    {
      const struct bbp_graph_edge *edge = &graph->edges[crossing.edge];
      return crossing.counted ? edge->to : edge->from;
    }
  uint32_t way = only_edge_out (graph, block, s.node);
  uintptr_t end = way < graph->nedges ? end_of_counting (graph, way, s.start, pc) : 0;
  return end && end <= pc ? graph->edges[way].to : s.node;
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

/* The block of GRAPH that control enters next, if PC is at its head, in front of its counter, or on
   a counted edge into it; 0: PC is elsewhere. */
static uintptr_t
uncounted (const struct bbp_graph *graph, uintptr_t pc)
{
  if (is_at_entry (graph, pc))
    return graph->blocks->address;
  size_t block = find (graph, pc);
  if (block == graph->nblocks)
    return 0;
  const struct segment s = segment_at (graph, block, pc);
  if (is_before_counter (graph, &s, pc))
    return s.start == graph->blocks[block].address ? s.start : 0;
  const struct crossing crossing = crossing_at (graph, s.head, s.start, pc);
  if (crossing.edge == graph->nedges)
    return 0;
  return graph->blocks[bbp_graph_block_of (graph->edges[crossing.edge].to)].address;
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
