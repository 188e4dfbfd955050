/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts things that call each other beside each other, as GNU gprof suggests it for a linker:
   chains that grow at their ends, arc by arc. */
#ifndef BBPROF_PLACEMENT_H
#define BBPROF_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct placement_arc {
  uint32_t parent, child; /* things */
  uint64_t count;
  bool done; /* not to be looked at (any more) */
};

/* Indexes of arcs between different things; the caller sees to the room. */
struct placement_list {
  uint32_t *arcs;
  size_t count;
};

struct placement {
  struct placed_thing *things; /* numbers from 0 */
  struct placement_arc *arcs;
  size_t narcs;
  uint32_t *order; /* those that have been placed: the result */
  size_t nordered;
};

/* Room for NTHINGS, none placed, and NARCS arcs, which the caller fills in.  placement_free is
   right in both cases. */
bool placement_make (struct placement *, uint32_t nthings, size_t narcs);
void placement_free (struct placement *);

/* THING is the next of the order, unless it has its place. */
void placement_put (struct placement *, uint32_t thing);

bool placement_has (const struct placement *, uint32_t thing);

/* THING counts as placed, or not, without being in the order for that. */
void placement_hide (struct placement *, uint32_t thing, bool hidden);

/* Most calls first; stable. */
bool placement_sort (const struct placement *, struct placement_list *);

/* Makes chains of the arcs of the list and places these; the arcs behind 99 % of all calls only
   if ALL is set, and then single things, too.  The arcs that have joined nothing are appended to
   LEFT, unless that is null. */
void placement_chain (struct placement *, const struct placement_list *, bool all,
                      struct placement_list *left);

#endif
