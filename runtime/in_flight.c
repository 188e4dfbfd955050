/* SPDX-License-Identifier: MIT */
/* Control that was interrupted in the middle of a function and had not gone on when the counters were read: what came into its
   segment has not gone out.  Without this the counts behind it would be one too high.  Context: cold. */
#include "arch.h"
#include "flow.h"

/* The last of the blocks from FIRST on, below STOP, that does not begin behind PC; STOP: there is none. */
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
  bool found = low > first && (low < stop || bbp_extent_is_one (graph->blocks[stop - 1].address, pc));
  return found ? low - 1 : stop;
}

/* The block that holds PC, or the number of blocks.  Where the last one of a part ends the map does not say. */
static size_t
find (const struct bbp_graph *graph, uintptr_t pc)
{
  size_t hot = graph->nblocks - graph->ncold, block = find_in_part (graph, 0, hot, pc);
  return block < hot ? block : find_in_part (graph, hot, graph->nblocks, pc);
}

/* PC is that of a counting instruction, which has not been executed. */
static bool
counts_at (uintptr_t pc)
{
  size_t n;
  const unsigned char *code = bbp_code_at (pc, &n);
  return code && bbp_arch_counts (code, n);
}

/* Where control is that is at the counter at the head of BLOCK: on its way into it, or still where it comes from, if that
   edge is what is counted there. */
static uint32_t
node_before (const struct bbp_graph *graph, size_t block)
{
  uint32_t in = bbp_graph_in (block), from = in;
  if (!(graph->blocks[block].shape & BBP_BLOCK_COUNTED))
    for (size_t i = 0; i < graph->nedges; i++)
      if (graph->edges[i].to == in && graph->edges[i].counted)
        from = graph->edges[i].from;
  return from;
}

static size_t
calls_end (const struct bbp_graph *graph, size_t block)
{
  return block + 1 < graph->nblocks ? graph->blocks[block + 1].calls : graph->ncalls;
}

/* Where control is that has passed the head of BLOCK. */
static uint32_t
node_at (const struct bbp_graph *graph, size_t block, uintptr_t pc)
{
  uint32_t node = graph->blocks[block].segment;
  for (size_t i = graph->blocks[block].calls; i < calls_end (graph, block); i++)
    {
      const struct bbp_graph_call *call = &graph->calls[i];
      if (call->point > pc || (call->kind & BBP_CALL_FINAL))
        break;
      if (call->point == pc && (call->kind & BBP_CALL_COUNTED) && counts_at (pc))
        return BBP_OUTSIDE; /* as far as the counters know, the call has not returned */
      node = call->segment + 1;
    }
  return node;
}

/* The node that holds PC; BBP_OUTSIDE: none does.  Before its first block a function asks whether the thread is known. */
static uint32_t
find_node (const struct bbp_graph *graph, uintptr_t pc)
{
  if (pc - graph->entry < graph->blocks->address - graph->entry)
    return bbp_graph_in (0);
  size_t block = find (graph, pc);
  if (block == graph->nblocks)
    return BBP_OUTSIDE;
  bool at_head = pc == graph->blocks[block].address && counts_at (pc);
  return at_head ? node_before (graph, block) : node_at (graph, block, pc);
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
