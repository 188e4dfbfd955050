/* SPDX-License-Identifier: MIT */
/* Waits for a moment: timer_wait.c, on BSD timer_kqueue.c.  Context: a thread of the library's
   own, unless a line says otherwise. */
#ifndef BBP_TIMER_WAIT_H
#define BBP_TIMER_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* One thread waits, any thread may wake it.  Zeros at first, and in a forked child. */
struct bbp_waiter {
  /* The way that has worked so far: 0 futex, 1 clock_nanosleep, 2 timerfd; on BSD 0
     EVFILT_TIMER, 1 a time limit of kevent. */
  unsigned way;
  int queue; /* on BSD: descriptor, plus 1; 0: none */
  bool deaf; /* on BSD: it cannot be woken */
};

#pragma GCC visibility push(hidden)

/* Waits until that nanosecond of CLOCK_MONOTONIC, or until WORD is no longer VALUE and
   bbp_wait_end reports that, where possible; may return earlier.  False: there is no way to
   wait. */
bool bbp_wait_until (struct bbp_waiter *, uint64_t until, int *word, int value);

/* WORD has changed.  Context: any. */
void bbp_wait_end (struct bbp_waiter *, int *word);

#pragma GCC visibility pop

#endif
