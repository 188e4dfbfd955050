/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "tools/decode/trace_graph.h"

static enum graph_end
end_of (const struct map_block *b)
{
  bool out = (b->shape & BBP_BLOCK_OUT) != 0;
  if (b->nways == 0)
    return GRAPH_LEAVES;
  if (b->nways + out > 2)
    return GRAPH_TOKEN;
  if (b->nways == 2)
    return GRAPH_BIT;
  return out ? GRAPH_GO : GRAPH_ONE;
}

static void
copy_block (struct graph *g, const struct map *m, uint32_t i)
{
  const struct map_block *from = &m->blocks[i];
  struct graph_block *to = &g->blocks[i];
  bool entry = from->function == i;
  if (entry)
    g->functions[g->nfunctions++] = (struct graph_function) { .first = i };
  struct graph_function *function = &g->functions[g->nfunctions - 1];
  *to = (struct graph_block) { .start = from->start,
                               .function = g->nfunctions - 1,
                               .first_call = (uint32_t) from->first_call,
                               .ncalls = (uint32_t) from->ncalls,
                               .first_way = (uint32_t) from->first_way,
                               .nways = (uint32_t) from->nways,
                               .end = (uint8_t) end_of (from),
                               .lands = (from->shape & BBP_BLOCK_IN) && !entry };
  function->nblocks++;
  function->lands |= to->lands;
  for (uint32_t k = to->first_call; k < to->first_call + to->ncalls; k++)
    g->calls[k] = (struct graph_call) { .point = m->calls[k].point,
                                        .block = i,
                                        .callee = GRAPH_NO_BLOCK,
                                        .final = (m->calls[k].kind & BBP_CALL_FINAL) != 0,
                                        .tail = (m->calls[k].kind & BBP_CALL_TAIL) != 0 };
  for (uint32_t k = to->first_way; k < to->first_way + to->nways; k++)
    g->ways[k] = (uint32_t) m->ways[k].to;
}

static int
compare_ways (const void *a, const void *b, void *context)
{
  const struct graph *g = context;
  uint64_t x = g->blocks[*(const uint32_t *) a].start, y = g->blocks[*(const uint32_t *) b].start;
  return x < y ? -1 : x > y;
}

static bool
sort_ways (struct graph *g)
{
  for (uint32_t i = 0; i < g->nblocks; i++)
    if (g->blocks[i].end == GRAPH_TOKEN
        && !array_sort (&g->ways[g->blocks[i].first_way], g->blocks[i].nways, sizeof *g->ways,
                        compare_ways, g))
      return false;
  return true;
}

static void
add_lone (struct graph *g, const struct graph_lone *from)
{
  if (from->first)
    g->functions[g->nfunctions++] = (struct graph_function) { .first = g->nblocks };
  g->functions[g->nfunctions - 1].nblocks++;
  g->blocks[g->nblocks++] = (struct graph_block) { .start = from->address,
                                                   .function = g->nfunctions - 1,
                                                   .end = GRAPH_LEAVES };
}

/* Endless loops without events: the walk stays in them, too. */

static bool
is_silent (const struct graph *g, uint32_t block)
{
  const struct graph_block *b = &g->blocks[block];
  return b->end == GRAPH_ONE && b->ncalls == 0 && !b->lands;
}

/* SEEN: for each block, the block from which the search first reached it, plus 1. */
static void
find_silent_loop (struct graph *g, uint32_t from, uint32_t *seen)
{
  uint32_t block = from;
  while (is_silent (g, block) && !seen[block])
    {
      seen[block] = from + 1;
      block = g->ways[g->blocks[block].first_way];
    }
  if (is_silent (g, block) && seen[block] == from + 1)
    g->blocks[block].end = GRAPH_FOREVER;
}

static bool
find_silent_loops (struct graph *g)
{
  uint32_t *seen = calloc ((size_t) g->nblocks + 1, sizeof *seen);
  if (!seen)
    return false;
  for (uint32_t i = 0; i < g->nblocks; i++)
    find_silent_loop (g, i, seen);
  free (seen);
  return true;
}

/* The table of addresses. */

static size_t
slot_of (const struct graph *g, uint64_t address)
{
  size_t slot = (size_t) (address * 0x9e3779b97f4a7c15UL >> 32) & g->mask;
  while (g->table[slot].what != GRAPH_NOTHING && g->table[slot].address != address)
    slot = (slot + 1) & g->mask;
  return slot;
}

static void
add_address (struct graph *g, uint64_t address, enum graph_what what, uint32_t index)
{
  g->table[slot_of (g, address)]
      = (struct graph_target) { .address = address, .what = what, .index = index };
}

/* Each trace point has code of its own, so no two are at the same address. */
static bool
make_table (struct graph *g, const struct map *m)
{
  size_t size = 64;
  while (size < 2 * (g->nblocks + m->ncalls))
    size *= 2;
  g->table = calloc (size, sizeof *g->table);
  if (!g->table)
    return false;
  g->mask = size - 1;
  for (uint32_t i = (uint32_t) m->count; i < g->nblocks; i++)
    add_address (g, g->blocks[i].start, GRAPH_LONE, i);
  for (uint32_t i = 0; i < m->count; i++)
    {
      const struct graph_block *b = &g->blocks[i];
      if (!m->blocks[i].traced)
        continue;
      if (m->blocks[i].function == i)
        add_address (g, b->start, GRAPH_ENTRY, i);
      else if (b->lands)
        add_address (g, b->start, GRAPH_LANDING, i);
      for (uint32_t k = b->first_call; k < b->first_call + b->ncalls; k++)
        if (!g->calls[k].final)
          add_address (g, g->calls[k].point, GRAPH_POINT, k);
    }
  return true;
}

bool
graph_make (struct graph *g, const struct map *m, const struct graph_lone *lone, size_t nlone)
{
  size_t count = m->count + nlone;
  memset (g, 0, sizeof *g);
  g->blocks = calloc (count + 1, sizeof *g->blocks);
  g->functions = calloc (count + 1, sizeof *g->functions);
  g->calls = calloc (m->ncalls + 1, sizeof *g->calls);
  g->ways = calloc (m->nways + 1, sizeof *g->ways);
  if (count >= GRAPH_NO_BLOCK || !g->blocks || !g->functions || !g->calls || !g->ways)
    return false;
  for (; g->nblocks < m->count; g->nblocks++)
    copy_block (g, m, g->nblocks);
  for (size_t i = 0; i < nlone; i++)
    add_lone (g, &lone[i]);
  return sort_ways (g) && find_silent_loops (g) && make_table (g, m);
}

void
graph_free (struct graph *g)
{
  free (g->blocks);
  free (g->functions);
  free (g->calls);
  free (g->ways);
  free (g->table);
  memset (g, 0, sizeof *g);
}

void
graph_hide (struct graph *g, uint64_t address)
{
  struct graph_target target = graph_find (g, address);
  if (target.what != GRAPH_ENTRY && target.what != GRAPH_LONE)
    return;
  const struct graph_function *function = &g->functions[g->blocks[target.index].function];
  for (uint32_t i = function->first; i < function->first + function->nblocks; i++)
    g->blocks[i].hidden = true;
}

struct graph_target
graph_find (const struct graph *g, uint64_t address)
{
  return g->table[slot_of (g, address)];
}

uint32_t
graph_successor (const struct graph *g, uint32_t block, uint64_t address)
{
  const uint32_t *ways = &g->ways[g->blocks[block].first_way];
  uint32_t low = 0, high = g->blocks[block].nways;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (g->blocks[ways[middle]].start < address)
        low = middle + 1;
      else
        high = middle;
    }
  return low < g->blocks[block].nways && g->blocks[ways[low]].start == address ? ways[low]
                                                                               : GRAPH_NO_BLOCK;
}
