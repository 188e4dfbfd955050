/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A position in a recorded run, which moves forward and backward over the blocks that a thread
   executed.  Each move backward is the inverse of one forward. */
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
  REPLAY_START, /* at the first block; nothing is recorded before it */
  REPLAY_END,   /* at the last block; nothing is recorded behind it */
  REPLAY_LOST,  /* stopped: the trace has a gap between two blocks */
  REPLAY_STOP,  /* at a stop that the user set */
  REPLAY_NONE,  /* not found; the position is unchanged */
};

enum replay_direction { REPLAY_BACK = -1, REPLAY_FORWARD = 1 };

struct replay {
  struct trace *trace;
  const struct trace_thread *threads;
  size_t nthreads;
  unsigned thread;
  struct thread_blocks blocks; /* of the thread */
  struct lines lines;
  uint64_t number; /* number of the current block */
};

/* Starts at the first block of the first thread that has blocks.  False: no memory, or no
   thread; call replay_close in both cases. */
bool replay_open (struct replay *, struct trace *);
void replay_close (struct replay *);

/* The current block; null: the thread executed nothing.  Valid until the position moves. */
const struct thread_block *replay_place (struct replay *);

/* Moves by N blocks. */
enum replay_result replay_step (struct replay *, enum replay_direction, uint64_t n);

/* Moves to the next line, over calls; at the end (beginning) of a function, to the caller's
   line. */
enum replay_result replay_line (struct replay *, enum replay_direction);

/* Forward: until the function is left.  Back: to the block that called it. */
enum replay_result replay_leave (struct replay *, enum replay_direction);

/* Moves to the next of N stops; *HIT: its index. */
enum replay_result replay_run (struct replay *, enum replay_direction, const struct location *stops,
                               size_t n, size_t *hit);

/* Moves to the Nth visit from here. */
enum replay_result replay_visit (struct replay *, enum replay_direction, const struct location *,
                                 uint64_t n);

/* Moves to the Nth visit since the thread's beginning. */
enum replay_result replay_nth (struct replay *, const struct location *, uint64_t n);

/* Moves to a block by number; to the last one if there are fewer. */
enum replay_result replay_goto (struct replay *, uint64_t number);

/* Moves to the first block at or after NS. */
enum replay_result replay_time (struct replay *, uint64_t ns);

/* Moves to the next block of another thread at the current time. */
enum replay_result replay_thread (struct replay *, unsigned thread);

/* The frames, outermost first; see trace_stack. */
size_t replay_stack (struct replay *, const struct trace_block *const **frames);

#endif
