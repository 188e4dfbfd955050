/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as text, and the ruler above a row of cells. */
#ifndef BBPROF_TIMELINE_AXIS_H
#define BBPROF_TIMELINE_AXIS_H

#include <stdio.h>

#include "tools/timeline/timeline_cells.h"

/* A duration with unit and four digits: "812.3 ms".  Returns TEXT. */
enum { TIMELINE_DURATION = 32 };
const char *timeline_duration (char text[TIMELINE_DURATION], uint64_t ns);

struct timeline_unit {
  const char *name; /* s, ms, us, ns */
  uint64_t ns;
};

/* The unit for sums and single times in a window of that SPAN: milliseconds or microseconds. */
struct timeline_unit timeline_unit_of (uint64_t span);

/* Ticks are multiples of STEP, which is 1, 2 or 5 times a power of ten, as small as the width of
   the labels allows. */
struct timeline_axis {
  struct timeline_unit unit;
  uint64_t step; /* nanoseconds */
  int digits;    /* digits of the labels behind the point */
};
struct timeline_axis timeline_axis_make (const struct timeline_scale *);

/* As many characters as there are cells: "|0    |10   |20   ". */
void timeline_axis_print (FILE *, const struct timeline_axis *, const struct timeline_scale *);

#endif
