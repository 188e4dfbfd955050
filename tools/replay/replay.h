/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A position in a recorded run, and how it moves: forward and backward alike, over the blocks
   that a thread has executed.  Backward is the mirror of forward. */
#ifndef BBPROF_REPLAY_H
#define BBPROF_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/decode/lines.h"
#include "tools/decode/thread_blocks.h"
#include "tools/decode/trace_read.h"
#include "tools/replay/location.h"

enum replay_result {
  REPLAY_DONE,
  REPLAY_START, /* the first block; there is nothing before it */
  REPLAY_END,   /* the last block; there is nothing behind it */
  REPLAY_LOST,  /* stopped: what was between two blocks is not recorded */
  REPLAY_STOP,  /* at a stop that the user has set */
  REPLAY_NONE,  /* there is no such place; the position is the old one */
};

enum replay_direction { REPLAY_BACK = -1, REPLAY_FORWARD = 1 };

struct replay {
  struct trace *trace;
  const struct trace_thread *threads;
  size_t nthreads;
  unsigned thread;
  struct thread_blocks blocks; /* of the thread */
  struct lines lines;
  uint64_t number; /* of the block that is being executed */
};

/* At the first block of the first thread that has any.  False: no memory, or no thread;
   replay_close is right in both cases. */
bool replay_open (struct replay *, struct trace *);
void replay_close (struct replay *);

/* Where it is; null: the thread has executed nothing.  Good until the position is moved. */
const struct thread_block *replay_place (struct replay *);

/* N blocks on. */
enum replay_result replay_step (struct replay *, enum replay_direction, uint64_t n);

/* To the beginning of another line, over calls; or of the caller's, at the end (beginning) of a
   function. */
enum replay_result replay_line (struct replay *, enum replay_direction);

/* Forward: until the function is left; back: to the block that called it. */
enum replay_result replay_leave (struct replay *, enum replay_direction);

/* To the next place that one of the N stops means; *HIT: which. */
enum replay_result replay_run (struct replay *, enum replay_direction, const struct location *stops,
                               size_t n, size_t *hit);

/* To the Nth visit, from here. */
enum replay_result replay_visit (struct replay *, enum replay_direction, const struct location *,
                                 uint64_t n);

/* To the Nth visit since the thread's beginning. */
enum replay_result replay_nth (struct replay *, const struct location *, uint64_t n);

/* To a block; the last one, if there are not so many. */
enum replay_result replay_goto (struct replay *, uint64_t number);

/* To the first block that is not before NS. */
enum replay_result replay_time (struct replay *, uint64_t ns);

/* To the block of another thread that comes next. */
enum replay_result replay_thread (struct replay *, unsigned thread);

/* The frames, the outermost first: see trace_stack. */
size_t replay_stack (struct replay *, const struct trace_block *const **frames);

#endif
