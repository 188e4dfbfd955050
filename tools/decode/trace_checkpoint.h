/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a thread's walk was, in front of pieces of its stream: going back in a trace is going on
   from there. */
#ifndef BBPROF_TRACE_CHECKPOINT_H
#define BBPROF_TRACE_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/decode/trace_walk.h"

struct checkpoint {
  uint64_t number, time;
  size_t next_piece, next_handler;
  bool lost;
  enum walk_state state;
  struct walk_frame *frames; /* those from SHARED on: the others are those of the point before */
  size_t nframes, shared;
};

struct checkpoints {
  struct checkpoint *points; /* by piece; those of every STRIDEth one */
  size_t npoints, room, used, stride;
};

void checkpoints_begin (struct checkpoints *);
void checkpoints_free (struct checkpoints *);
/* POINT, which has all its frames, of which the lowest SHARED ones are as they were at the last
   point, unless one that is near enough is there.  Returns how many are as they are at the last
   point now.  Memory that is short only makes seeking slower. */
size_t checkpoints_note (struct checkpoints *, const struct checkpoint *point);
/* The last one that is before block NUMBER and before TIME, or null. */
const struct checkpoint *checkpoints_find (const struct checkpoints *, uint64_t number,
                                           uint64_t time);
/* All frames of POINT, which checkpoints_find has found; FRAMES has room for them. */
void checkpoints_frames (const struct checkpoint *point, struct walk_frame *frames);

#endif
