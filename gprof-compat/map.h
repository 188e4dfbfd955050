/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of the blocks (runtime/bbprof-abi.h) of all objects that the profile is about: where they are, and what counts
   them. */
#ifndef BBPROF_MAP_H
#define BBPROF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "objects.h"

struct map_block {
  uint64_t start;      /* address */
  uint64_t counters;   /* that an execution comes by: the block's own, and those behind its calls */
  uint64_t hooks;      /* calls of it that the run-time library is told of as they happen */
  size_t first_target; /* blocks to which an edge with a counter of its own leads: map.targets[...] */
  size_t ntargets;
  bool arcs;           /* the calls of its function are derived from the counters, but for those of the hooks */
};

struct map {
  struct map_block *blocks; /* function by function */
  size_t count, room;
  size_t *targets; /* indices of blocks */
  size_t ntargets, room_targets;
  bool found; /* some object has a map */
};

/* False if a map is damaged or memory is short; map_free is right in both cases. */
bool map_read (struct map *, const struct objects *, struct error *);
void map_free (struct map *);

#endif
