/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows and columns of `bbprof top', for whoever shows them. */
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

/* Which rows, in which order. */
struct top_choice {
  enum top_column sort;
  bool reverse;
  bool dead;       /* also who has died long ago */
  char filter[32]; /* part of the name, in any case; "": all */
};

struct top_rows {
  const struct top_thread **rows;
  size_t n, room;
};

/* False: no memory. */
bool top_rows_choose (struct top_rows *, const struct top_sums *, const struct top_choice *);
void top_rows_free (struct top_rows *);

/* Above it; its width, without the space between two of them; it begins at the left. */
const char *top_title (enum top_column);
int top_width (enum top_column);
bool top_is_left (enum top_column);

/* What is in it for a thread. */
void top_cell (const struct top_sums *, const struct top_thread *, enum top_column, char *text,
               size_t size);

/* Percent of the last period. */
double top_percent (const struct top_sums *, int64_t ns);
/* A second, in the last period. */
double top_rate (const struct top_sums *, int64_t n);

/* Which columns fit into so many places, the first ones always; *ROOM: what is left over.
   STRIP: places wanted for something else. */
unsigned top_columns_that_fit (int places, int strip, int *room);

#endif
