/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of the markers that the program sets (struct bbs_marks).  The process may
   have written anything there, so all of it is checked. */
#ifndef BBPROF_PROGRAM_MARKS_H
#define BBPROF_PROGRAM_MARKS_H

#include "collect/streams/watched.h"

struct program_marks {
  struct bbs_marks *ring;
  /* 1 + number of an unfinished marker that has others behind it; 0: none */
  uint64_t stuck;
  uint64_t since; /* when it was found (clock_now) */
  /* Markers that were never finished, had an impossible time, or got no memory here. */
  uint64_t lost;
};

/* Adds the finished markers to W.  An unfinished one delays those behind it for a second; with
   LAST it does not. */
void program_marks_take (struct program_marks *, struct watched *w, uint64_t now, bool last);

#endif
