/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock that the times of records are of, and by which who watches knows how old something
   is; and the one by which it knows what watching costs. */
#ifndef BBPROF_CLOCK_H
#define BBPROF_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds from some point in time on; never goes back. */
static inline uint64_t
clock_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

/* Nanoseconds of a processor that the calling thread has had. */
static inline uint64_t
clock_used (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

#endif
