/* SPDX-License-Identifier: MIT */
/* Waiting for a moment.  Context: a thread of the library's own. */
#ifndef BBP_TIMER_WAIT_H
#define BBP_TIMER_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* Zeros at first. */
struct bbp_waiter {
  unsigned way; /* that has worked so far: 0 futex, 1 clock_nanosleep, 2 timerfd */
};

/* Until that nanosecond of CLOCK_MONOTONIC, or, if that can be had, until WORD is no longer VALUE and a futex wakes; perhaps
   earlier.  False: there is no way to wait. */
bool bbp_wait_until (struct bbp_waiter *, uint64_t until, int *word, int value) __attribute__ ((visibility ("hidden")));

#endif
