/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The natural loops of all functions of a map.  A back edge leads to the *head*, a block that
   dominates its source; the loop is what lies on paths from the head to that source.  Back edges
   to the same head are one loop.  Two loops are disjoint, or one contains the other. */
#ifndef BBPROF_LOOPS_H
#define BBPROF_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/blocks/map.h"

#define NO_LOOP ((size_t) -1)

struct loop {
  size_t head;    /* index of its block in the map */
  size_t around;  /* the next larger loop, or NO_LOOP */
  unsigned depth; /* 1: not in another loop */
  /* Its head leads to itself, so the head is also a last block, which may leave only when its
     iteration is done. */
  bool returns;
};

struct loops {
  struct loop *loops; /* function by function; inner loops before the outer ones */
  size_t count, room;
  size_t *innermost; /* of each block of the map: the smallest loop around it, or NO_LOOP */
};

/* False: out of memory.  Call loops_free in both cases. */
bool loops_find (struct loops *, const struct map *);
void loops_free (struct loops *);

/* Is the map's block in the loop? */
bool loops_contain (const struct loops *, size_t loop, size_t block);

#endif
