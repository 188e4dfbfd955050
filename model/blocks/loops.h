/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The natural loops of all functions of a map: a loop is what an edge back to a block leads
   around that all ways into it come by, its *head*.  Edges back to the same head are one loop.
   Two loops have nothing in common, or one is in the other. */
#ifndef BBPROF_LOOPS_H
#define BBPROF_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/blocks/map.h"

#define NO_LOOP ((size_t) -1)

struct loop {
  size_t head;    /* index of its block in the map */
  size_t around;  /* the next larger loop, or NO_LOOP */
  unsigned depth; /* 1: in no other */
  /* Its head leads to itself: a last block as well, which may leave only when its iteration is
     done. */
  bool returns;
};

struct loops {
  struct loop *loops; /* function by function; each before those around it */
  size_t count, room;
  size_t *innermost; /* of each block of the map: the smallest loop that it is in, or NO_LOOP */
};

/* False if memory is short; loops_free is right in both cases. */
bool loops_find (struct loops *, const struct map *);
void loops_free (struct loops *);

/* Is the map's block in the loop? */
bool loops_contain (const struct loops *, size_t loop, size_t block);

#endif
