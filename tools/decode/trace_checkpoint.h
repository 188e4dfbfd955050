/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints: states of a thread's walk in front of chunks of its stream.  Seeking backward
   continues from one of them. */
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
  /* frames from SHARED on; those below are the same as at the checkpoint before */
  struct walk_frame *frames;
  size_t nframes, shared;
};

struct checkpoints {
  struct checkpoint *points; /* sorted by chunk; one for each STRIDEth chunk */
  size_t npoints, room, used, stride;
};

void checkpoints_begin (struct checkpoints *);
void checkpoints_free (struct checkpoints *);
/* Adds POINT, which has all frames; the lowest SHARED ones are the same as at the last
   checkpoint.  Does nothing if a checkpoint is near.  Returns how many frames are the same as at
   the last checkpoint now.  Without memory only seeking becomes slower. */
size_t checkpoints_note (struct checkpoints *, const struct checkpoint *point);
/* The last checkpoint before block NUMBER and before TIME; or null. */
const struct checkpoint *checkpoints_find (const struct checkpoints *, uint64_t number,
                                           uint64_t time);
/* Copies all frames of POINT, a result of checkpoints_find; FRAMES has room for them. */
void checkpoints_frames (const struct checkpoint *point, struct walk_frame *frames);

#endif
