/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calling context tree as rows of cells: the outermost frames at the top, each as wide as its
   share of the samples.  It does not know what a frame is, nor how it is drawn. */
#ifndef BBPROF_FLAME_LAYOUT_H
#define BBPROF_FLAME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/contexts.h"

#define FLAME_NARROW UINT32_MAX /* frames of one caller that are narrower than a column, together */

struct flame_cell {
  uint32_t node; /* of the tree, or FLAME_NARROW */
  uint64_t start, ticks;
  size_t column, width; /* WIDTH is at least 1 */
};

struct flame_layout {
  /* Row by row, and from left to right: those that one frame called, in the tree's order, then
     their FLAME_NARROW; to the right of them is the frame's self time. */
  struct flame_cell *cells;
  size_t ncells, room_cells;
  size_t *rows; /* of each row its first cell, then NCELLS */
  size_t nrows, room_rows;
  uint64_t all;    /* ticks of the whole tree */
  size_t columns;  /* for these */
  uint64_t narrow; /* ticks of frames that are narrower than a column */
  uint64_t deep;   /* ticks of frames beneath the last row */
};

/* Row 0 is node 0, with COLUMNS; at most DEPTH rows are below it.  TOTALS: of the subtree of each
   node.  False: no memory; flame_layout_free is right in both cases. */
bool flame_layout_make (struct flame_layout *, const struct contexts *tree, const uint64_t *totals,
                        size_t columns, size_t depth);
void flame_layout_free (struct flame_layout *);

#endif
