/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of a queue into which the program's threads put items (struct bbs_queue).  The
   process may have written anything there, so all of it is checked. */
#ifndef BBPROF_PROGRAM_QUEUE_H
#define BBPROF_PROGRAM_QUEUE_H

#include "collect/streams/watched.h"

struct program_queue {
  struct bbs_queue *queue;
  uint64_t slots;
  /* 1 + number of an unfinished item that has others behind it; 0: none */
  uint64_t stuck;
  uint64_t since; /* when it was found (clock_now) */
  /* Items that were never finished, had an impossible time, or got no memory here. */
  uint64_t lost;
};

/* Add the finished items of HEAD's markers, or of its calls of MPI, to W.  An unfinished one delays
   those behind it for a second; with LAST it does not. */
void program_marks_take (struct program_queue *, struct bbs_head *head, struct watched *w,
                         uint64_t now, bool last);
void program_calls_take (struct program_queue *, struct bbs_head *head, struct watched *w,
                         uint64_t now, bool last);

#endif
