/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of time as a row of cells: for each cell the time that a thread spent in each state.
   These are sums, not samples: no short interval is lost between two cells. */
#ifndef BBPROF_TIMELINE_CELLS_H
#define BBPROF_TIMELINE_CELLS_H

#include "tools/intervals/timeline.h"

struct timeline_scale {
  uint64_t from, to; /* from < to */
  size_t cells;      /* at least 1; not more than nanoseconds in the window */
};

struct timeline_cell {
  uint64_t time[TIMELINE_STATES]; /* nanoseconds; all 0: the thread did not live */
  uint64_t lock;                  /* the sleep for locks */
};

/* The begin of cell I, which is the end of the one before. */
uint64_t timeline_scale_bound (const struct timeline_scale *, size_t i);
/* The cell of TIME, which is in the window; the last cell for the window's end. */
size_t timeline_scale_cell (const struct timeline_scale *, uint64_t time);

/* Calls TAKE for each part of an interval that lies in one cell, in order. */
typedef void timeline_cells_taker (void *context, size_t cell, const struct timeline_interval *,
                                   uint64_t length);
void timeline_cells_walk (const struct timeline_scale *, const struct timeline_thread *,
                          timeline_cells_taker *, void *context);

/* Fills CELLS. */
void timeline_cells_fill (const struct timeline_scale *, const struct timeline_thread *,
                          struct timeline_cell *cells);

#endif
