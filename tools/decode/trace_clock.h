/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a bit of a piece was written: between the marks, as if all bits took the same time. */
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
  size_t next; /* the first knot behind the last bit that was asked for */
};

/* For PIECE of a trace that began at STARTED, with RATE ns for each tick of the processor's
   clock (0: not known).  False if memory is short. */
bool trace_clock_set (struct trace_clock *, const struct piece *, uint64_t started, double rate);
void trace_clock_free (struct trace_clock *);

/* When BIT was written.  From one call to the next, bits do not fall. */
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
