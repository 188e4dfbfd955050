/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks that one thread has executed, by number, in any order: a trace is decoded forward
   only, so the stretches asked for last are kept. */
#ifndef BBPROF_THREAD_BLOCKS_H
#define BBPROF_THREAD_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/decode/trace_read.h"

struct thread_block {
  const struct trace_block *block;
  uint64_t time; /* ns since the trace's start */
  unsigned depth;
  unsigned before; /* BLOCK_...: what happened between the block before and this one */
};
#define BLOCK_ENTERED 1U /* its function was called */
#define BLOCK_LANDED 2U  /* frames were left at once */
#define BLOCK_SIGNAL 4U  /* a handler began, */
#define BLOCK_RESUMED 8U /* or ended */
#define BLOCK_LOST 16U   /* recording was lost, or began */

enum { STRETCHES = 4, BLOCKS_IN_STRETCH = 131072 };

struct stretch {
  struct thread_block *blocks;
  uint64_t first; /* number */
  size_t count;   /* 0: not in use */
};

struct thread_blocks {
  struct trace *trace;
  unsigned thread;
  struct trace_cursor *cursor;
  uint64_t next;   /* number of the block that the cursor comes to */
  unsigned before; /* what it has met since the block before that */
  struct stretch stretches[STRETCHES];
  unsigned oldest; /* the one to be replaced */
  bool ended;      /* the end was seen: */
  bool cut;        /* in the middle */
  uint64_t count;
  struct trace_cursor *stack_cursor; /* or null */
};

/* False if memory is short; thread_blocks_close is right in both cases. */
bool thread_blocks_open (struct thread_blocks *, struct trace *, unsigned thread);
void thread_blocks_close (struct thread_blocks *);

/* Block NUMBER of the thread; null: there are not so many.  Good until the next call. */
const struct thread_block *thread_blocks_at (struct thread_blocks *, uint64_t number);

/* How many there are.  Looks for the end, which takes a few seeks. */
uint64_t thread_blocks_count (struct thread_blocks *);

/* Number of the first one that is not before NS, or of the last one. */
uint64_t thread_blocks_at_time (struct thread_blocks *, uint64_t ns);

/* The frames when block NUMBER was executed: see trace_stack. */
size_t thread_blocks_stack (struct thread_blocks *, uint64_t number,
                            const struct trace_block *const **frames);

#endif
