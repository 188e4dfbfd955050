/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/decode/trace_clock.h"

/* A knot that would turn time back gets the time of the one before it. */
static bool
add_knot (struct trace_clock *c, size_t bit, double time)
{
  if (!array_grow (&c->knots, c->nknots, &c->room, sizeof *c->knots))
    return false;
  if (c->nknots > 0)
    {
      const struct trace_knot *last = &c->knots[c->nknots - 1];
      bit = bit > last->bit ? bit : last->bit;
      time = time > last->time ? time : last->time;
    }
  c->knots[c->nknots++] = (struct trace_knot) { .bit = bit, .time = time };
  return true;
}

static double
since (uint64_t time, uint64_t start)
{
  return time > start ? (double) (time - start) : 0;
}

bool
trace_clock_set (struct trace_clock *c, const struct piece *p, uint64_t started, double rate)
{
  const struct bbt_piece *head = p->head;
  double start = since (head->started, started);
  c->nknots = c->next = 0;
  if (!add_knot (c, 0, start))
    return false;
  for (size_t i = 0; i < p->nmarks; i++)
    if (!add_knot (c, (size_t) p->marks[i].words * 64,
                   start + rate * since (p->marks[i].tsc, head->started_tsc)))
      return false;
  return head->ended == 0 || add_knot (c, p->nbits, since (head->ended, started));
}

void
trace_clock_free (struct trace_clock *c)
{
  free (c->knots);
  memset (c, 0, sizeof *c);
}
