/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many trips each loop made each time that it was entered: from traces, in one pass over all
   threads.  A trip is an iteration as `bbprof jumps' counts them: an execution of the loop's
   head, but for the last one if that only leaves. */
#ifndef BBPROF_ITERATIONS_H
#define BBPROF_ITERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/loops.h"
#include "tools/decode/trace_read.h"

enum { ITERATION_CLASSES = 65 }; /* 0 trips; 1; 2 and 3; 4 to 7; ... */

struct iteration_counts {
  uint64_t entered;    /* times that were seen from their beginning to their end */
  uint64_t iterations; /* in sum */
  uint64_t least, most;
  uint64_t classes[ITERATION_CLASSES];
};

/* Where the trace's blocks are in the map that the loops were found in. */
struct iteration_map {
  const struct map *map;
  const struct loops *loops;
  /* Index in the map, or NO_PLACE; asked once for each block. */
  size_t (*find) (void *context, const struct trace_block *);
  void *context;
};
#define NO_PLACE ((size_t) -1)

/* Adds what TRACE says to the counts of each loop.  False: no memory. */
bool iterations_add (struct iteration_counts *, struct trace *, const struct iteration_map *);

/* Which class a number of trips is in; the least and the most of a class. */
unsigned iteration_class (uint64_t iterations);
static inline uint64_t
iteration_class_least (unsigned class)
{
  return class ? UINT64_C (1) << (class - 1) : 0;
}
static inline uint64_t
iteration_class_most (unsigned class)
{
  return class ? iteration_class_least (class) * 2 - 1 : 0;
}

#endif
