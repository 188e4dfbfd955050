/* SPDX-License-Identifier: MIT */
/* A rank of an MPI program: its calls of MPI, by function and call site.  Does not know MPI, only
   the numbers of its functions (bbprof-ranks.h). */
#ifndef BBP_RANK_H
#define BBP_RANK_H

#include <stdint.h>

#include "include/bbprof-ranks.h"
#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

enum { BBP_RANK_PLACES = 4096, BBP_RANK_SITE = 8 };
_Static_assert(BBM_END <= 1 << BBP_RANK_SITE, "a key has room for the call's number");

/* Number I is at I - 1.  A key is a call site and a call; 0: the place is free.  Writers: all
   threads, atomically. */
extern struct bbp_place {
  uint64_t key;
  uint64_t calls, nanoseconds, bytes;
  uint64_t judged, last, spread, waited;
} * bbp_rank_places; /* null until the process is a rank */

extern struct bbx_rank bbp_rank; /* of size 0: the process is no rank */
extern uint64_t bbp_rank_began;  /* CLOCK_MONOTONIC, nanoseconds */

void bbp_ranks_set (unsigned rank, unsigned size); /* cold */
/* As in struct bbm_library; hot. */
unsigned bbp_ranks_call (enum bbm_call, const void *site, uint64_t nanoseconds, uint64_t bytes);
void bbp_ranks_judge (unsigned place, uint64_t waited, uint64_t spread, int last);
void bbp_ranks_leave_unjudged (uint64_t n);
void bbp_ranks_reset (void); /* cold, lock held: counts from zero */
/* Writes the chunk about this rank, if the process is one.  Cold, lock held. */
void bbp_ranks_write (struct bbp_out *);

#pragma GCC visibility pop

#endif
