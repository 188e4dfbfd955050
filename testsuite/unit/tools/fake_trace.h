/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake decoder of traces (tools/decode/trace_read.h) for tests of the code that shows traces:
   it returns the hand-written events of the test. */
#ifndef BBPROF_FAKE_TRACE_H
#define BBPROF_FAKE_TRACE_H

#include "tools/decode/trace_read.h"

struct trace *fake_open (void);

/* Adds a function in NAME.c; its number.  Block i is 16 bytes long, and has the line FIRST + i,
   or lines[i]. */
unsigned fake_function (struct trace *, const char *name, unsigned nblocks, const unsigned *lines);
const struct trace_block *fake_block (const struct trace *, unsigned function, unsigned index);

/* Begins another thread: events are added to the last one. */
void fake_thread (struct trace *, const char *name);

/* Adds an event, DEPTH deep; each comes 10 ns after the one before.  Its block's number follows
   from the order. */
void fake_event (struct trace *, enum trace_kind, unsigned function, unsigned index,
                 unsigned depth);

/* How many events the cursors have told, in all. */
uint64_t fake_told (const struct trace *);

#endif
