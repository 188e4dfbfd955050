/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Begins and stops counting a thousand times, or as often as a busy machine lets it in some
   seconds, with two threads; what runs while nothing counts must have no samples. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "bbprof.h"

enum { ROUNDS = 1000, LEAST = 50, MOST_SECONDS = 20 };

static volatile long x;
static volatile int over;

static double
seconds (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static double
cpu_time (void)
{
  return seconds (CLOCK_THREAD_CPUTIME_ID);
}

#define BURN(name)                                        \
  static __attribute__ ((noinline)) void name (double s)  \
  {                                                       \
    double until = cpu_time () + s;                       \
    while (cpu_time () < until)                           \
      x++;                                                \
  }
BURN (counted)
BURN (not_counted)

static void *
other (void *unused)
{
  (void) unused;
  while (!over)
    x++;
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, other, NULL);
  double until = seconds (CLOCK_MONOTONIC) + MOST_SECONDS;
  for (int i = 0; i < LEAST || (i < ROUNDS && seconds (CLOCK_MONOTONIC) < until); i++)
    {
      counted (0.0005);
      bbprof_stop ();
      not_counted (0.0005);
      bbprof_start ();
    }
  counted (0.5);
  over = 1;
  pthread_join (thread, NULL);
  return 0;
}
