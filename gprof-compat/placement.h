/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders things for a linker so that those that call each other are neighbours, as GNU gprof
   does: chains that grow at their ends, arc by arc. */
#ifndef BBPROF_PLACEMENT_H
#define BBPROF_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct placement_arc {
  uint32_t parent, child; /* things */
  uint64_t count;
  bool done; /* to be skipped */
};

/* Indexes of arcs between different things.  The caller allocates the array. */
struct placement_list {
  uint32_t *arcs;
  size_t count;
};

struct placement {
  struct placed_thing *things; /* numbers from 0 */
  struct placement_arc *arcs;
  size_t narcs;
  uint32_t *order; /* the result: the placed things */
  size_t nordered;
};

/* Makes room for NTHINGS, none of them placed, and NARCS arcs, which the caller fills in.  Call
   placement_free in both cases. */
bool placement_make (struct placement *, uint32_t nthings, size_t narcs);
void placement_free (struct placement *);

/* Appends THING to the order, unless it is placed already. */
void placement_put (struct placement *, uint32_t thing);

bool placement_has (const struct placement *, uint32_t thing);

/* Marks THING as placed, or not, without changing the order. */
void placement_hide (struct placement *, uint32_t thing, bool hidden);

/* Sorts by calls, most first; stable. */
bool placement_sort (const struct placement *, struct placement_list *);

/* Makes chains of the arcs of the list and places them.  Arcs behind 99 % of all calls, and
   single things, are placed only if ALL is set.  Arcs that joined nothing are appended to LEFT,
   unless that is null. */
void placement_chain (struct placement *, const struct placement_list *, bool all,
                      struct placement_list *left);

#endif
