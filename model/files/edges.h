/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executions of edges between blocks, from the sidecars, summed over all runs. */
#ifndef BBPROF_EDGES_H
#define BBPROF_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By how much a count may be wrong, because the positions of threads are unknown when their
   process was killed. */
struct open_count {
  uint64_t more, fewer;
};

struct edge {
  uint64_t from, to; /* addresses of the blocks; 0: outside of the function */
  uint64_t count;
};

struct edges {
  /* After edges_finish: each once.  Before: only by_from, in any order. */
  struct edge *by_from, *by_to;
  size_t count, room;
};

bool edges_add (struct edges *, struct edge); /* false: out of memory */
bool edges_finish (struct edges *);           /* the same */
void edges_free (struct edges *);

/* The edges to, or from, the block at ADDRESS.  Return their number. */
size_t edges_to (const struct edges *, uint64_t address, const struct edge **first);
size_t edges_from (const struct edges *, uint64_t address, const struct edge **first);
/* EDGE's percentage of the executions of a block with N edges out of it.  All percentages
   together are at most 100.  They are less if control is still in the block.  If more executions
   leave than came, as behind setjmp, those that leave are the total. */
double edges_percent (const struct edge *edge, const struct edge *first, size_t n,
                      uint64_t executions);

#endif
