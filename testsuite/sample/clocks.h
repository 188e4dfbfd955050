/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks by which sampled programs measure themselves. */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline long
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
}

#define CPU CLOCK_THREAD_CPUTIME_ID
#define WALL CLOCK_MONOTONIC

/* The same few instructions so many times. */
static inline __attribute__ ((always_inline)) void
spin (long rounds)
{
  while (rounds-- > 0)
    __asm__ volatile ("" : "+r" (rounds));
}

/* A random number below N, that no other use of random numbers disturbs. */
static inline long
below (long n)
{
  static unsigned long state;
  if (!state)
    state = (unsigned long) now (CLOCK_REALTIME);
  state = state * 6364136223846793005 + 1442695040888963407;
  return (long) ((state >> 33) % (unsigned long) n);
}

/* STATEMENT, and how long it took by CLOCK, added to SUM. */
#define TIMED(clock, sum, statement) \
  do                                 \
    {                                \
      long begin_ = now (clock);     \
      statement;                     \
      (sum) += now (clock) - begin_; \
    }                                \
  while (0)

#endif
