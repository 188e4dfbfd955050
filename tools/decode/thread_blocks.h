/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random access to the blocks that one thread executed, by number.  A trace is decoded forward
   only, so the stretches that were used last are kept. */
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
  unsigned before; /* BLOCK_...: events between the previous block and this one */
};
#define BLOCK_ENTERED 1U /* its function was called */
#define BLOCK_LANDED 2U  /* frames were removed at once (exception, longjmp) */
#define BLOCK_SIGNAL 4U  /* a signal handler began */
#define BLOCK_RESUMED 8U /* a signal handler ended */
#define BLOCK_LOST 16U   /* recording was lost, or began */

enum { STRETCHES = 4, BLOCKS_IN_STRETCH = 131072 };

struct stretch {
  struct thread_block *blocks;
  uint64_t first; /* number of its first block */
  size_t count;   /* 0: not in use */
};

struct thread_blocks {
  struct trace *trace;
  unsigned thread;
  struct trace_cursor *cursor;
  uint64_t next;   /* number of the block that the cursor reaches next */
  unsigned before; /* events since the previous block */
  struct stretch stretches[STRETCHES];
  unsigned oldest; /* index of the stretch to replace */
  bool ended;      /* the end was found: */
  bool cut;        /* in the middle of the execution */
  uint64_t count;
  struct trace_cursor *stack_cursor; /* for thread_blocks_stack; or null */
};

/* False: no memory; call thread_blocks_close in both cases. */
bool thread_blocks_open (struct thread_blocks *, struct trace *, unsigned thread);
void thread_blocks_close (struct thread_blocks *);

/* Block NUMBER of the thread; null: behind the end.  Valid until the next call. */
const struct thread_block *thread_blocks_at (struct thread_blocks *, uint64_t number);

/* The number of blocks.  Searches the end, which takes a few seeks. */
uint64_t thread_blocks_count (struct thread_blocks *);

/* Number of the first block at or after NS, or of the last block. */
uint64_t thread_blocks_at_time (struct thread_blocks *, uint64_t ns);

/* The frames when block NUMBER was executed; see trace_stack. */
size_t thread_blocks_stack (struct thread_blocks *, uint64_t number,
                            const struct trace_block *const **frames);

#endif
