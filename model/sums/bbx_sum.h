/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sidecars of several profiles as one, the same whatever their order, and whether they are
   sums themselves.

   Objects of the same build are one, wherever each process had it: the sum has a base for each
   that depends on nothing but which objects there are.  That is known in the end only, so what
   is added has places of its own until then. */
#ifndef BBPROF_BBX_SUM_H
#define BBPROF_BBX_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bag.h"
#include "common/error.h"
#include "common/output.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"
#include "model/sums/sum_stacks.h"

struct sum_object;

struct bbx_sum {
  uint64_t run;                           /* 0: no profile has a sidecar */
  struct sum_object *executable, *others; /* others: a hash, by what they are */
  size_t nothers;
  uint64_t top;      /* end of the places that are taken */
  const char *first; /* the profile that the executable is of; borrowed */
  bool lacks;        /* a profile does not say what it lost */
  struct bag processes, edges, open[BBX_OPEN_LISTS], jumps[BBX_JUMPS_VARIANTS], words, blocks,
      units, losses;
  unsigned jumps_variants;
  struct bbx_time time;
  struct sum_stacks stacks;
};

void bbx_sum_init (struct bbx_sum *);
void bbx_sum_free (struct bbx_sum *);

/* Finds places for the objects of X, a whole sidecar of PROFILE.  MOVES: from its addresses
   there; the caller frees moves->moves.  False if it is of another build of the program, or has
   sampled another clock. */
bool bbx_sum_place (struct bbx_sum *, const struct bbx *x, const char *profile,
                    struct gmon_moves *moves, struct error *);

/* After bbx_sum_place: X, whose run is RUN, is added, and loses what it holds.  False: no
   memory, the sum is good for bbx_sum_free only. */
bool bbx_sum_take (struct bbx_sum *, struct bbx *x, uint64_t run, const struct gmon_moves *moves);

/* Or it is not: KEPT is what nothers was before. */
void bbx_sum_forget (struct bbx_sum *, size_t kept);

/* After the last one.  MOVES: from the places so far to those of the sum; the caller frees
   moves->moves.  False: no memory. */
bool bbx_sum_finish (struct bbx_sum *, struct gmon_moves *moves);

/* After bbx_sum_finish: the base of OBJECT; false if no process had it. */
bool bbx_sum_base (const struct bbx_sum *, const struct bbx_run_object *object, uint64_t *base);

/* Likewise: a whole sidecar.  False: no memory. */
bool bbx_sum_write (const struct bbx_sum *, struct output *);

#endif
