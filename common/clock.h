/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of the times in records, also used for the age of data; and the clock that measures
   the cost of watching. */
#ifndef BBPROF_CLOCK_H
#define BBPROF_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since a fixed point; monotonic. */
static inline uint64_t
clock_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

/* CPU time of the calling thread: nanoseconds. */
static inline uint64_t
clock_used (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

#endif
