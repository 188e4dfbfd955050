/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a timeline to show, as the command line gives it. */
#ifndef BBPROF_TIMELINE_VIEW_H
#define BBPROF_TIMELINE_VIEW_H

#include "tools/timeline/timeline_emit.h"

enum timeline_sort { TIMELINE_BY_BIRTH, TIMELINE_BY_CPU, TIMELINE_BY_WAIT, TIMELINE_BY_NAME };

struct timeline_choice {
  /* A time since the start (1.5, 200ms), a part of the run (25%), or mark:TEXT, the first marker
     with that text (or pattern); null: all. */
  const char *from, *to; /* a marker for TO is the first one behind FROM */
  /* One of these, or TEXT alone; behind a comma, how much to show on each side of it (default: a
     twentieth of the run).  Null: FROM and TO apply. */
  const char *around;
  const char *threads; /* names, patterns, numbers, tids, with commas; null: all */
  enum timeline_sort sort;
};

/* Sets window, threads and details (of a part of the run, or of some threads); the rest of the view
   is the caller's.  A thread without life in the window is not in it.  False: ERR says why;
   call timeline_view_free in both cases. */
bool timeline_view_make (struct timeline_view *, const struct timeline *,
                         const struct timeline_choice *, struct error *);
void timeline_view_free (struct timeline_view *);

/* Sums of the window. */
struct timeline_sums timeline_view_sums (const struct timeline_view *,
                                         const struct timeline_thread *);
/* The part of a call of MPI in the window: from *FROM to *TO.  False: none. */
bool timeline_view_mpi_call (const struct timeline_view *, const struct timeline_mpi_call *,
                             uint64_t *from, uint64_t *to);

#endif
