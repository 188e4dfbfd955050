/* SPDX-License-Identifier: MIT */
/* Waiting for a moment: timer_wait.c, and on BSD timer_kqueue.c.  Context: a thread of the
   library's own, but as said. */
#ifndef BBP_TIMER_WAIT_H
#define BBP_TIMER_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* One waits, any may wake it.  Zeros at first, and in a forked child. */
struct bbp_waiter {
  /* That has worked so far: 0 futex, 1 clock_nanosleep, 2 timerfd; on BSD 0 EVFILT_TIMER, 1 a
     time limit of kevent. */
  unsigned way;
  int queue; /* on BSD: descriptor, plus 1; 0: there is none */
  bool deaf; /* the same: it cannot be woken */
};

#pragma GCC visibility push(hidden)

/* Until that nanosecond of CLOCK_MONOTONIC, or, if that can be had, until WORD is no longer
   VALUE and bbp_wait_end says so; perhaps earlier.  False: there is no way to wait. */
bool bbp_wait_until (struct bbp_waiter *, uint64_t until, int *word, int value);

/* WORD has changed.  Context: any. */
void bbp_wait_end (struct bbp_waiter *, int *word);

#pragma GCC visibility pop

#endif
