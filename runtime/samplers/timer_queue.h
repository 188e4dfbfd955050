/* SPDX-License-Identifier: MIT */
/* Many timers, one thread that waits: which of them is due next.  A binary heap by time.  It
   does not wait, and knows no clock: times are nanoseconds of any.  Context: one thread's. */
#ifndef BBP_TIMER_QUEUE_H
#define BBP_TIMER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct bbp_timer {
  /* When it is due; it is out of the queue then, and may be put in again. */
  void (*action) (struct bbp_timer *, uint64_t now);
  uint64_t due;
  size_t place; /* in the queue's list, from 1; 0: in none */
};

/* The caller's, with a LIST of ROOM pointers behind it. */
struct bbp_timer_queue {
  struct bbp_timer **list;
  size_t n, room;
};

/* Or move; false: no room. */
bool bbp_timers_put (struct bbp_timer_queue *, struct bbp_timer *, uint64_t due);
/* If it is there. */
void bbp_timers_remove (struct bbp_timer_queue *, struct bbp_timer *);
/* The next one; UINT64_MAX: there is none. */
uint64_t bbp_timers_due (const struct bbp_timer_queue *);
/* The actions of all that are due at NOW, in the order of their times; of those that are put in
   meanwhile too.  How many. */
size_t bbp_timers_run (struct bbp_timer_queue *, uint64_t now);

#pragma GCC visibility pop

#endif
