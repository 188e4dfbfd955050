/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the page of text: inside of timeline_text.c, which puts them one below the other. */
#ifndef BBPROF_TIMELINE_PAGE_H
#define BBPROF_TIMELINE_PAGE_H

#include "tools/timeline/timeline_cells.h"
#include "tools/timeline/timeline_emit.h"

struct timeline_page {
  const struct timeline_view *view;
  struct timeline_sums *sums; /* of each of the view's threads */
  bool *shown;                /* it has a row */
  size_t nshown;
  struct timeline_scale scale;
  struct timeline_cell *cells; /* of the row that is made now */
  size_t label;                /* columns to the left of the cells */
  bool tids;                   /* there is room for them */
};

/* A thread's name for a screen: no controls, no bytes that are not UTF-8, of ASCII only if that
   is wanted.  Returns TEXT. */
enum { TIMELINE_NAME = 128 };
const char *timeline_page_name (char text[TIMELINE_NAME], const char *name, bool ascii);

/* How many bytes the first COLUMNS characters of TEXT are. */
int timeline_page_cut (const char *text, size_t columns);

/* TEXT in the columns to the left of the cells, cut if it is too long, and the line between. */
void timeline_page_label (FILE *, const struct timeline_page *, const char *text);
/* The line at the right, and the end of the row. */
void timeline_page_end (FILE *, const struct timeline_page *);

/* timeline_cpus.c: a row for each processor.  timeline_marks.c: where the marks are, and, below,
   what they say.  timeline_table.c: sums.  lock_table.c: locks.  False: no
   memory. */
bool timeline_page_cpus (FILE *, const struct timeline_page *);
bool timeline_page_marks (FILE *, const struct timeline_page *);
bool timeline_page_texts (FILE *, const struct timeline_page *);
bool timeline_page_table (FILE *, const struct timeline_page *);
bool timeline_page_locks (FILE *, const struct timeline_page *);

#endif
