/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of time as a row of cells: how much of each a thread spent in which state.  Sums, and
   no samples of it: nothing that was short falls between two cells. */
#ifndef BBPROF_TIMELINE_CELLS_H
#define BBPROF_TIMELINE_CELLS_H

#include "tools/intervals/timeline.h"

struct timeline_scale {
  uint64_t from, to; /* from < to */
  size_t cells;      /* at least 1; no more than there are nanoseconds */
};

struct timeline_cell {
  uint64_t time[TIMELINE_STATES]; /* nanoseconds; all 0: the thread did not live */
  uint64_t lock;                  /* of the sleep, for a lock */
};

/* Where cell I begins, and the one before ends. */
uint64_t timeline_scale_bound (const struct timeline_scale *, size_t i);
/* The cell of TIME, which is in the window; of its very end the last one. */
size_t timeline_scale_cell (const struct timeline_scale *, uint64_t time);

/* Calls TAKE for each part of an interval that lies in one cell, in order. */
typedef void timeline_cells_taker (void *context, size_t cell, const struct timeline_interval *,
                                   uint64_t length);
void timeline_cells_walk (const struct timeline_scale *, const struct timeline_thread *,
                          timeline_cells_taker *, void *context);

/* CELLS are set. */
void timeline_cells_fill (const struct timeline_scale *, const struct timeline_thread *,
                          struct timeline_cell *cells);

#endif
