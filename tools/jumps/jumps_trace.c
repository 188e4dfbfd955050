/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the blocks of a trace to those of the profile, by object, function and index. */
#include "config.h"

#include <stdlib.h>

#include "tools/decode/profile_trace.h"
#include "tools/jumps/jumps.h"

struct finder {
  const struct jumps *jumps;
  struct trace_match match;
};

static size_t
find_place (void *context, const struct trace_block *b)
{
  struct finder *f = context;
  const struct blocks *blocks = &f->jumps->blocks;
  uint64_t address = trace_match_address (&f->match, b->function, 0);
  const struct block *entry = address ? blocks_at (blocks, address) : NULL;
  if (!entry || !entry->map)
    return NO_PLACE;
  size_t place = entry->map->function + b->index;
  return place < blocks->map.count && blocks->map.blocks[place].function == entry->map->function
             ? place
             : NO_PLACE;
}

bool
jumps_add_trace (struct jumps *j, struct trace *trace, struct error *err)
{
  struct finder finder = { .jumps = j, .match = { .model = j->model } };
  struct iteration_lookup lookup
      = { .map = &j->blocks.map, .loops = &j->loops, .find = find_place, .context = &finder };
  if (!j->iterations)
    j->iterations = calloc (j->loops.count + 1, sizeof *j->iterations);
  return (j->iterations && iterations_add (j->iterations, trace, &lookup)) || error_no_memory (err);
}
