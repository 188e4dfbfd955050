/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The callers or callees of a function, in the order of the call graph's lines. */
#ifndef BBPROF_RELATIVES_H
#define BBPROF_RELATIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/graph/callgraph.h"

/* An arc with all data for sorting, so that sorting reads nothing else. */
struct relative {
  double time;
  uint64_t count;
  uint32_t arc;
  uint32_t rank; /* calls of itself, calls inside a cycle, others */
};

struct relatives {
  const struct callgraph *graph;
  struct relative *list; /* the last result */
  uint32_t count;
};

/* False: out of memory.  Call relatives_free in both cases. */
bool relatives_init (struct relatives *, const struct callgraph *);
void relatives_free (struct relatives *);

/* The entries of the report are visited in order, now that with the index I: tells the processor to
   fetch what the next ones need. */
void relatives_expect (const struct relatives *, uint32_t i);

/* Fill the list with the callers of NODE, the least important first, or with its callees, the
   most important first. False: out of memory. */
bool relatives_parents (struct relatives *, uint32_t node);
bool relatives_children (struct relatives *, uint32_t node);

/* A call inside a cycle, or of the function itself, has no time. */
bool relative_is_close (const struct relative *);

#endif
