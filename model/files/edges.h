/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often control went from one block to another: from the sidecars, added up over all runs. */
#ifndef BBPROF_EDGES_H
#define BBPROF_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By how much a count may be wrong, because it is not known where threads were when their
   process was killed. */
struct open_count {
  uint64_t more, fewer;
};

struct edge {
  uint64_t from, to; /* addresses of the blocks; 0: outside of the function */
  uint64_t count;
};

struct edges {
  /* After edges_finish: each once; before, the first only, in any order. */
  struct edge *by_from, *by_to;
  size_t count, room;
};

bool edges_add (struct edges *, struct edge); /* false: no memory */
bool edges_finish (struct edges *);           /* the same */
void edges_free (struct edges *);

/* Those that lead to, or from, the block at ADDRESS; how many there are. */
size_t edges_to (const struct edges *, uint64_t address, const struct edge **first);
size_t edges_from (const struct edges *, uint64_t address, const struct edge **first);
/* Of the N edges out of a block that was executed so often, how much of all that is EDGE's part,
   in percent.  All are 100 at most: they are less if control is still in the block, and of what
   goes on more often than it came, as behind setjmp, that is all. */
double edges_percent (const struct edge *edge, const struct edge *first, size_t n,
                      uint64_t executions);

#endif
