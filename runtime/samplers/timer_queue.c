/* SPDX-License-Identifier: MIT */
/* A binary heap of timers.  See timer_queue.h. */
#include "runtime/samplers/timer_queue.h"

static void
set (struct bbp_timer_queue *queue, size_t place, struct bbp_timer *timer)
{
  queue->list[place - 1] = timer;
  timer->place = place;
}

static struct bbp_timer *
at (const struct bbp_timer_queue *queue, size_t place)
{
  return queue->list[place - 1];
}

/* Moves the free PLACE up to where TIMER belongs. */
static void
rise (struct bbp_timer_queue *queue, size_t place, struct bbp_timer *timer)
{
  for (; place > 1 && timer->due < at (queue, place / 2)->due; place /= 2)
    set (queue, place, at (queue, place / 2));
  set (queue, place, timer);
}

/* Moves the free PLACE down to where TIMER belongs. */
static void
sink (struct bbp_timer_queue *queue, size_t place, struct bbp_timer *timer)
{
  for (;;)
    {
      size_t below = 2 * place;
      if (below < queue->n && at (queue, below + 1)->due < at (queue, below)->due)
        below++;
      if (below > queue->n || timer->due <= at (queue, below)->due)
        break;
      set (queue, place, at (queue, below));
      place = below;
    }
  set (queue, place, timer);
}

bool
bbp_timers_put (struct bbp_timer_queue *queue, struct bbp_timer *timer, uint64_t due)
{
  bbp_timers_remove (queue, timer);
  if (queue->n == queue->room)
    return false;
  timer->due = due;
  rise (queue, ++queue->n, timer);
  return true;
}

void
bbp_timers_remove (struct bbp_timer_queue *queue, struct bbp_timer *timer)
{
  size_t place = timer->place;
  if (!place)
    return;
  timer->place = 0;
  struct bbp_timer *last = at (queue, queue->n--);
  if (last == timer)
    return;
  if (place > 1 && last->due < at (queue, place / 2)->due)
    rise (queue, place, last);
  else
    sink (queue, place, last);
}

uint64_t
bbp_timers_due (const struct bbp_timer_queue *queue)
{
  return queue->n ? at (queue, 1)->due : UINT64_MAX;
}

size_t
bbp_timers_run (struct bbp_timer_queue *queue, uint64_t now)
{
  size_t ran = 0;
  for (; bbp_timers_due (queue) <= now && queue->n; ran++)
    {
      struct bbp_timer *timer = at (queue, 1);
      bbp_timers_remove (queue, timer);
      timer->action (timer, now);
    }
  return ran;
}
