/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The maps of blocks (include/bbprof-abi.h) of all objects in the profile: the blocks' addresses
   and counters. */
#ifndef BBPROF_MAP_H
#define BBPROF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "model/symbols/objects.h"

struct map_block {
  uint64_t start;    /* address */
  uint64_t entry;    /* address of its function's entry */
  uint64_t counters; /* passed by each execution: the block's own, and those behind its calls */
  uint64_t hooks;    /* calls in it that are reported to the run-time library when they happen */
  uint64_t function_counters; /* address of the first counter of its function */
  size_t function;            /* index of its function's first block */
  size_t first_call;          /* its calls: map.calls[...] */
  size_t ncalls;
  size_t first_way; /* its edges to blocks of the same function: map.ways[...] */
  size_t nways;
  unsigned shape; /* BBP_BLOCK_... */
  bool traced;    /* its function has trace points */
  /* The calls of its function are derived from the counters, except those of the hooks. */
  bool arcs;
};

struct map_call {
  uint64_t point; /* address */
  unsigned kind;  /* BBP_CALL_... */
};

struct map_way {
  size_t to;    /* index of the block */
  bool counted; /* the edge has a counter of its own */
};

struct map {
  struct map_block *blocks; /* function by function */
  size_t count, room;
  struct map_call *calls;
  size_t ncalls, room_calls;
  struct map_way *ways;
  size_t nways, room_ways;
  bool found; /* some object has a map */
  bool bare;  /* only of functions without counters (blocks=map); else only of all others */
};

/* False: a damaged map, or out of memory.  Call map_free in both cases. */
bool map_read (struct map *, const struct objects *, struct error *);
/* The same for functions without counters. */
bool map_read_bare (struct map *, const struct objects *, struct error *);
void map_free (struct map *);

#endif
