/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the ranks of several profiles.  Each rank keeps what it did itself: its calls of MPI, and
   its part of the counts, so that reports can compare ranks.  The same rank of several runs is one,
   if the runs have the same number of ranks. */
#ifndef BBPROF_SUM_RANKS_H
#define BBPROF_SUM_RANKS_H

#include <stdbool.h>

#include "common/bag.h"
#include "common/output.h"
#include "model/files/bbx_ranks.h"
#include "model/files/gmon_read.h"
#include "model/files/profile.h"

struct sum_rank;

struct sum_ranks {
  struct sum_rank *all; /* a hash, by rank and size */
};

void sum_ranks_free (struct sum_ranks *);

/* Gives the only rank of RANKS the counts of P, its own profile, unless it has counts already: they
   have the addresses of P.  False: out of memory. */
bool sum_ranks_take_counts (struct bbx_ranks *ranks, const struct profile *p);

/* Adds RANKS; moves call sites, and counts unless they are MOVED already.  False: out of memory. */
bool sum_ranks_add (struct sum_ranks *, const struct bbx_ranks *ranks,
                    const struct gmon_moves *moves, bool moved);

/* After the last one; MOVES as in bbx_sum_finish.  False: out of memory. */
bool sum_ranks_finish (struct sum_ranks *, const struct gmon_moves *moves);

/* After that: writes the chunks.  False: out of memory. */
bool sum_ranks_write (const struct sum_ranks *, struct output *);

#endif
