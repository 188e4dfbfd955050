/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the bits of a chunk: interpolated between its time marks, as if all bits took the
   same time. */
#ifndef BBPROF_TRACE_CLOCK_H
#define BBPROF_TRACE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/streams/pieces_read.h"

struct trace_knot {
  size_t bit;
  double time; /* ns since the trace's start */
};

struct trace_clock {
  struct trace_knot *knots; /* by bit, and by time */
  size_t nknots, room;
  size_t next; /* first knot behind the bit of the last call */
};

/* For PIECE of a trace that began at STARTED; RATE: ns per tick of the processor's clock (0:
   unknown).  False: no memory. */
bool trace_clock_set (struct trace_clock *, const struct piece *, uint64_t started, double rate);
void trace_clock_free (struct trace_clock *);

/* When BIT was written.  BIT does not fall from one call to the next. */
static inline uint64_t
trace_clock_at (struct trace_clock *c, size_t bit)
{
  while (c->next < c->nknots && c->knots[c->next].bit <= bit)
    c->next++;
  if (c->next == 0)
    return 0;
  const struct trace_knot *knot = &c->knots[c->next - 1];
  if (c->next == c->nknots)
    return (uint64_t) knot->time;
  return (uint64_t) (knot->time
                     + (double) (bit - knot->bit) * (knot[1].time - knot->time)
                           / (double) (knot[1].bit - knot->bit));
}

#endif
