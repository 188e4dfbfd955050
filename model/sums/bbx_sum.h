/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the sidecars of several profiles.  The result does not depend on their order, or on
   whether they are sums themselves.

   Objects of the same build are one, at whatever base each process had them.  The sum's base of
   each object depends only on the set of objects.  That is known only at the end, so until then
   objects have temporary places. */
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
#include "model/sums/sum_ranks.h"
#include "model/sums/sum_stacks.h"

struct sum_object;

struct bbx_sum {
  uint64_t run;                           /* 0: no profile has a sidecar */
  struct sum_object *executable, *others; /* others: a hash, by key */
  size_t nothers;
  bool is_chosen;    /* the executable stays, also if no profile of it is added */
  uint64_t top;      /* end of the used places */
  const char *first; /* the profile of the executable; borrowed */
  bool lacks;        /* a profile does not know its losses */
  struct bag processes, edges, open[BBX_OPEN_LISTS], jumps[BBX_JUMPS_VARIANTS], words, blocks,
      units, losses, machines;
  unsigned jumps_variants;
  struct bbx_time time;
  struct sum_stacks stacks;
  struct sum_ranks ranks;
};

void bbx_sum_init (struct bbx_sum *);
void bbx_sum_free (struct bbx_sum *);

/* The program's file in the sum; null: no profile has told it yet. */
const struct bbx_run_object *bbx_sum_executable (const struct bbx_sum *);

/* Makes the program's file of X, the sidecar of PROFILE, that of the sum, before any is added.
   False: out of memory. */
bool bbx_sum_choose (struct bbx_sum *, const struct bbx *x, const char *profile);

/* Is X of another build of the program than the sum? */
bool bbx_sum_is_other_build (const struct bbx_sum *, const struct bbx *x);

/* Finds places for the objects of X, a whole sidecar of PROFILE.  MOVES: from its addresses to
   there; the caller frees moves->moves.  False: another build of the program, or samples of
   another clock. */
bool bbx_sum_place (struct bbx_sum *, const struct bbx *x, const char *profile,
                    struct gmon_moves *moves, struct error *);

/* After bbx_sum_place: adds X, of run RUN, and takes its contents over.  False: out of memory; then
   only bbx_sum_free is allowed. */
bool bbx_sum_take (struct bbx_sum *, struct bbx *x, uint64_t run, const struct gmon_moves *moves);

/* Undoes bbx_sum_place instead.  KEPT: the former nothers. */
void bbx_sum_forget (struct bbx_sum *, size_t kept);

/* Ends the sum, after the last sidecar.  MOVES: from the temporary places to those of the sum; the
   caller frees moves->moves.  False: out of memory. */
bool bbx_sum_finish (struct bbx_sum *, struct gmon_moves *moves);

/* After bbx_sum_finish: the base of OBJECT.  False: no process had it. */
bool bbx_sum_base (const struct bbx_sum *, const struct bbx_run_object *object, uint64_t *base);

/* After bbx_sum_finish: writes a whole sidecar.  False: out of memory. */
bool bbx_sum_write (const struct bbx_sum *, struct output *);

#endif
