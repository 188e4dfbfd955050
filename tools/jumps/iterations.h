/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the iterations of each loop for each time that the loop was entered, from traces, in
   one pass over all threads.  As in `bbprof jumps', each execution of the loop's head is an
   iteration, except for the last one if it only leaves. */
#ifndef BBPROF_ITERATIONS_H
#define BBPROF_ITERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/loops.h"
#include "tools/decode/trace_read.h"

enum { ITERATION_CLASSES = 65 }; /* classes: 0 iterations; 1; 2 to 3; 4 to 7; ... */

struct iteration_counts {
  uint64_t entered;    /* entries that were seen from beginning to end */
  uint64_t iterations; /* sum over these entries */
  uint64_t least, most;
  uint64_t classes[ITERATION_CLASSES];
};

/* Maps the trace's blocks to the map in which the loops were found. */
struct iteration_lookup {
  const struct map *map;
  const struct loops *loops;
  /* Index in the map, or NO_PLACE.  Called once for each block. */
  size_t (*find) (void *context, const struct trace_block *);
  void *context;
};
#define NO_PLACE ((size_t) -1)

/* Adds the iterations in TRACE to the counts of each loop.  False: no memory. */
bool iterations_add (struct iteration_counts *, struct trace *, const struct iteration_lookup *);

/* The class of a number of iterations; the smallest and largest number of a class. */
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
