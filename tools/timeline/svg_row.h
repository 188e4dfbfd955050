/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the picture.  Called by timeline_svg.c. */
#ifndef BBPROF_SVG_ROW_H
#define BBPROF_SVG_ROW_H

#include "tools/timeline/timeline_cells.h"
#include "tools/timeline/timeline_emit.h"

enum {
  SVG_NAMES = 180,   /* pixels to the left of the bars */
  SVG_WIDTH = 1000,  /* the width of the bars, at most */
  SVG_ROW = 22,      /* height of a row */
  SVG_BAR = 16,      /* height of a running thread's bar */
  SVG_CELLS = 30000, /* in all rows together, which bounds the size of the picture */
  SVG_TITLES = 1500  /* intervals with a text of their own */
};

/* The states of a thread; sleep for a lock is a state of its own here.  A call of MPI goes with any
   of them. */
enum { SVG_LOCKED = TIMELINE_STATES, SVG_STATES, SVG_MPI = SVG_STATES, SVG_SHOWN };
struct svg_cell {
  uint64_t time[SVG_SHOWN]; /* of SVG_MPI: whether there is a call */
};

struct svg {
  FILE *out;
  const struct timeline_view *view;
  size_t rows; /* threads with a row */
  struct timeline_scale scale;
  int pixels; /* of a cell */
  int width;  /* of all cells */
  struct svg_cell *cells;
};

/* The x coordinate of TIME, in pixels. */
double svg_x (const struct svg *, uint64_t time);

/* Prints the row of THREAD; Y is its upper edge. */
void svg_row_thread (struct svg *, const struct timeline_thread *, int y);
/* Prints how long threads of the program ran on the processor. */
void svg_row_cpu (struct svg *, unsigned cpu, int y);

#endif
