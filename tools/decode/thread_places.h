/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks that one thread has executed, by number, in any order: a trace is decoded forward
   only, so the stretches asked for last are kept. */
#ifndef BBPROF_PLACES_H
#define BBPROF_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/decode/trace_read.h"

struct place {
  const struct trace_block *block;
  uint64_t time; /* ns since the trace's start */
  unsigned depth;
  unsigned before; /* PLACE_...: what happened between the block before and this one */
};
#define PLACE_ENTERED 1U /* its function was called */
#define PLACE_LANDED 2U  /* frames were left at once */
#define PLACE_SIGNAL 4U  /* a handler began, */
#define PLACE_RESUMED 8U /* or ended */
#define PLACE_LOST 16U   /* recording was lost, or began */

enum { PLACES_STRETCHES = 4, PLACES_IN_STRETCH = 131072 };

struct stretch {
  struct place *places;
  uint64_t first; /* number */
  size_t count;   /* 0: not in use */
};

struct places {
  struct trace *trace;
  unsigned thread;
  struct trace_cursor *cursor;
  uint64_t next;   /* number of the block that the cursor comes to */
  unsigned before; /* what it has met since the block before that */
  struct stretch stretches[PLACES_STRETCHES];
  unsigned oldest; /* the one to be replaced */
  bool ended;      /* the end was seen: */
  bool cut;        /* in the middle */
  uint64_t count;
  struct trace_cursor *stack_cursor; /* or null */
};

/* False if memory is short; places_close is right in both cases. */
bool places_open (struct places *, struct trace *, unsigned thread);
void places_close (struct places *);

/* Block NUMBER of the thread; null: there are not so many.  Good until the next call. */
const struct place *places_at (struct places *, uint64_t number);

/* How many there are.  Looks for the end, which takes a few seeks. */
uint64_t places_count (struct places *);

/* Number of the first one that is not before NS, or of the last one. */
uint64_t places_at_time (struct places *, uint64_t ns);

/* The frames when block NUMBER was executed: see trace_stack. */
size_t places_stack (struct places *, uint64_t number, const struct trace_block *const **frames);

#endif
