/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of the marks that the program sets (struct bbs_marks).  What the process has
   written there is not trusted. */
#ifndef BBPROF_PROGRAM_MARKS_H
#define BBPROF_PROGRAM_MARKS_H

#include "collect/streams/watched.h"

struct program_marks {
  struct bbs_marks *ring;
  /* 1 + the number of a mark that others have come behind, and that is not ready yet; 0: none. */
  uint64_t stuck;
  uint64_t since; /* it was found so (clock_now) */
  /* That were begun, and never ready, or of a time that cannot be, or had no memory here. */
  uint64_t lost;
};

/* Adds those that are ready to W.  One that its thread has begun, and has not got ready, holds
   up those behind it, for a moment; LAST: not any more. */
void program_marks_take (struct program_marks *, struct watched *w, uint64_t now, bool last);

#endif
