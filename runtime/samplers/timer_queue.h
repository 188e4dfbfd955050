/* SPDX-License-Identifier: MIT */
/* A queue of timers for one waiting thread: a binary heap by time.  It does not wait, and knows
   no clock: times are nanoseconds of any clock.  Context: one thread. */
#ifndef BBP_TIMER_QUEUE_H
#define BBP_TIMER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct bbp_timer {
  /* Called when it is due; it is out of the queue then, and may be put in again. */
  void (*action) (struct bbp_timer *, uint64_t now);
  uint64_t due;
  size_t place; /* index in the queue's list, from 1; 0: in none */
};

/* Memory of the caller's, with a LIST of ROOM pointers behind it. */
struct bbp_timer_queue {
  struct bbp_timer **list;
  size_t n, room;
};

/* Puts the timer in, or moves it; false: no room. */
bool bbp_timers_put (struct bbp_timer_queue *, struct bbp_timer *, uint64_t due);
/* Removes it if it is in the queue. */
void bbp_timers_remove (struct bbp_timer_queue *, struct bbp_timer *);
/* Time of the next one; UINT64_MAX: none. */
uint64_t bbp_timers_due (const struct bbp_timer_queue *);
/* Runs the actions of all timers that are due at NOW, in the order of their times, including
   those put in meanwhile.  Returns their number. */
size_t bbp_timers_run (struct bbp_timer_queue *, uint64_t now);

#pragma GCC visibility pop

#endif
