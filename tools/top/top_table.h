/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows and columns of `bbprof top'. */
#ifndef BBPROF_TOP_TABLE_H
#define BBPROF_TOP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/top/top_sums.h"

/* From the left. */
enum top_column {
  TOP_TID,
  TOP_NAME,
  TOP_STATE,
  TOP_RUNS,
  TOP_READY,
  TOP_SLEEPS,
  TOP_VOLUNTARY,
  TOP_INVOLUNTARY,
  TOP_MIGRATIONS,
  TOP_CPU,
  TOP_TIME,
  TOP_COLUMNS
};

/* The rows and their order. */
struct top_choice {
  enum top_column sort;
  bool reverse;
  bool dead;       /* also threads that ended long ago */
  char filter[32]; /* part of the name, upper or lower case; "": all */
};

struct top_rows {
  const struct top_thread **rows;
  size_t n, room;
};

/* False: out of memory. */
bool top_rows_choose (struct top_rows *, const struct top_sums *, const struct top_choice *);
void top_rows_free (struct top_rows *);

/* Its title; its width, without the space between columns; is it left-aligned? */
const char *top_title (enum top_column);
int top_width (enum top_column);
bool top_is_left (enum top_column);

/* The text of a cell. */
void top_cell (const struct top_sums *, const struct top_thread *, enum top_column, char *text,
               size_t size);

/* Percent of the last period. */
double top_percent (const struct top_sums *, int64_t ns);
/* Number a second, in the last period. */
double top_rate (const struct top_sums *, int64_t n);

/* The columns that fit into so many places, always including the first; *ROOM: the places left.
   STRIP: places for something else. */
unsigned top_columns_that_fit (int places, int strip, int *room);

#endif
