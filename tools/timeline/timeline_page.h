/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the page of text, which timeline_text.c puts together. */
#ifndef BBPROF_TIMELINE_PAGE_H
#define BBPROF_TIMELINE_PAGE_H

#include "tools/timeline/timeline_cells.h"
#include "tools/timeline/timeline_emit.h"

struct timeline_page {
  const struct timeline_view *view;
  struct timeline_sums *sums; /* of each thread of the view */
  bool *shown;                /* it has a row */
  size_t nshown;
  struct timeline_scale scale;
  struct timeline_cell *cells; /* of the current row */
  size_t label;                /* columns to the left of the cells */
  bool tids;                   /* there is room for tids */
};

/* A thread's name without control characters and invalid UTF-8; with ASCII only ASCII.  Returns
   TEXT. */
enum { TIMELINE_NAME = 128 };
const char *timeline_page_name (char text[TIMELINE_NAME], const char *name, bool ascii);

/* The number of bytes of the first COLUMNS characters of TEXT. */
int timeline_page_cut (const char *text, size_t columns);

/* Prints TEXT, cut to fit, to the left of the cells, and the line between. */
void timeline_page_label (FILE *, const struct timeline_page *, const char *text);
/* Prints the line at the right, and ends the row. */
void timeline_page_end (FILE *, const struct timeline_page *);

/* timeline_cpus.c: rows of processors.  timeline_marks.c: places of markers, and their list below;
   sums of the calls of MPI.  timeline_table.c: sums.  lock_table.c: locks.  False: out of
   memory. */
bool timeline_page_cpus (FILE *, const struct timeline_page *);
bool timeline_page_marks (FILE *, const struct timeline_page *);
bool timeline_page_texts (FILE *, const struct timeline_page *);
bool timeline_page_mpi (FILE *, const struct timeline_page *);
bool timeline_page_table (FILE *, const struct timeline_page *);
bool timeline_page_locks (FILE *, const struct timeline_page *);

#endif
