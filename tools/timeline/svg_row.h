/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the picture of a timeline: inside of timeline_svg.c. */
#ifndef BBPROF_SVG_ROW_H
#define BBPROF_SVG_ROW_H

#include "tools/timeline/timeline_cells.h"
#include "tools/timeline/timeline_emit.h"

enum {
  SVG_NAMES = 180,   /* pixels to the left of the bars */
  SVG_WIDTH = 1000,  /* of the bars, at most */
  SVG_ROW = 22,      /* from one row to the next */
  SVG_BAR = 16,      /* of that is high who runs */
  SVG_CELLS = 30000, /* in all rows together: the picture's size is bounded, whatever the run was */
  SVG_TITLES = 1500  /* intervals that have a text of their own */
};

/* As a thread's states, but who sleeps in a lock is told apart. */
enum { SVG_LOCKED = TIMELINE_STATES, SVG_STATES };
struct svg_cell {
  uint64_t time[SVG_STATES];
};

struct svg {
  FILE *out;
  const struct timeline_view *view;
  size_t rows; /* threads that are shown */
  struct timeline_scale scale;
  int pixels; /* of a cell */
  int width;  /* of all of them */
  struct svg_cell *cells;
};

/* How far to the right TIME is, in pixels. */
double svg_x (const struct svg *, uint64_t time);

/* THREAD's, Y is its upper edge. */
void svg_row_thread (struct svg *, const struct timeline_thread *, int y);
/* Which part of the time there was a thread on the processor. */
void svg_row_cpu (struct svg *, unsigned cpu, int y);

#endif
