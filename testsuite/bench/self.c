/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the cost of bbprof.h's functions, for self.py: `self THREADS'.  All threads but one have
   called counted functions, and wait.  Prints the median nanoseconds of a call, a line for each
   function. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bbprof.h"

#define APART __attribute__ ((noipa))
enum { TURNS = 301, MOST = 1024, MANY = 30 };

int counted (int);
APART int
counted (int n)
{
  return n + 1;
}

static sem_t ready, never;
static int number, numbers[MANY];

static void *
wait_for_ever (void *unused)
{
  counted (1);
  sem_post (&ready);
  sem_wait (&never);
  return unused;
}

static void
find (void)
{
  number = bbprof_function_find ("counted");
}

static void
at (void)
{
  number = bbprof_function_at ((const void *) counted);
}

static void
counts (void)
{
  struct bbprof_counts c;
  bbprof_function_counts (&number, &c, 1);
}

static void
many_counts (void)
{
  struct bbprof_counts c[MANY];
  bbprof_function_counts (numbers, c, MANY);
}

static void
snapshot (void)
{
  static struct bbprof_thread_row rows[MOST];
  bbprof_monitor_snapshot (rows, MOST);
}

static void
begin_intervals (void)
{
  bbprof_intervals_start (0, 0);
}

static void
end_intervals (void)
{
  bbprof_intervals_stop ();
}

static void
intervals (void)
{
  static struct bbprof_interval last[100];
  bbprof_intervals (0, last, 100);
}

/* Longer than the time between two polls. */
static void
pause_for_poll (void)
{
  nanosleep (&(struct timespec) { .tv_nsec = 1200000 }, NULL);
}

/* A hundred sleeps, with two switches each, and the time until their records are taken. */
static void
switch_often (void)
{
  for (int i = 0; i < 100; i++)
    nanosleep (&(struct timespec) { .tv_nsec = 1000 }, NULL);
  pause_for_poll ();
}

static void
stop_and_start (void)
{
  bbprof_stop ();
  bbprof_start ();
}

static void
thread_stop_and_start (void)
{
  bbprof_thread (0);
  bbprof_thread (1);
}

static void
reset (void)
{
  bbprof_reset ();
}

static void
samples (void)
{
  static struct bbprof_sample list[100];
  bbprof_samples (list, 100);
}

static void
mark (void)
{
  bbprof_mark ("here");
}

static void
dump (void)
{
  bbprof_dump ();
}

static long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int
compare (const void *a, const void *b)
{
  const long x = *(const long *) a, y = *(const long *) b;
  return (x > y) - (x < y);
}

/* BEFORE and AFTER each call, if not null, are not measured. */
static void
measure (const char *name, void (*call) (void), void (*before) (void), void (*after) (void))
{
  static long times[TURNS];
  for (int i = 0; i < TURNS; i++)
    {
      if (before)
        before ();
      const long start = now ();
      call ();
      times[i] = now () - start;
      if (after)
        after ();
    }
  qsort (times, TURNS, sizeof *times, compare);
  printf ("%s\t%ld\n", name, times[TURNS / 2]);
}

int
main (int argc, char **argv)
{
  static char stacks[MOST][32768] __attribute__ ((aligned (4096)));
  const int threads = argc > 1 ? atoi (argv[1]) : 1;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init (&attributes);
  for (int i = 1; i < threads && i < MOST; i++)
    {
      pthread_attr_setstack (&attributes, stacks[i], sizeof stacks[i]);
      pthread_create (&thread, &attributes, wait_for_ever, NULL);
      sem_wait (&ready);
    }
  counted (1);
  measure ("bbprof_function_find", find, NULL, NULL);
  measure ("bbprof_function_at", at, NULL, NULL);
  for (int i = 0; i < MANY; i++)
    numbers[i] = number;
  measure ("bbprof_function_counts, 1 function", counts, NULL, NULL);
  measure ("bbprof_function_counts, 30 functions", many_counts, NULL, NULL);
  measure ("bbprof_monitor_snapshot", snapshot, NULL, NULL);
  measure ("bbprof_intervals_start", begin_intervals, NULL, end_intervals);
  measure ("bbprof_intervals_stop", end_intervals, begin_intervals, NULL);
  bbprof_intervals_start (0, 0);
  measure ("bbprof_intervals", intervals, NULL, NULL);
  measure ("bbprof_intervals, after 100 sleeps", intervals, switch_often, NULL);
  bbprof_intervals_stop ();
  bbprof_intervals_start (0, BBPROF_BY_POLLS);
  measure ("bbprof_intervals, by polls", intervals, pause_for_poll, NULL);
  bbprof_intervals_stop ();
  measure ("bbprof_stop and bbprof_start", stop_and_start, NULL, NULL);
  measure ("bbprof_thread (0) and (1)", thread_stop_and_start, NULL, NULL);
  measure ("bbprof_reset", reset, NULL, NULL);
  measure ("bbprof_samples", samples, NULL, NULL);
  measure ("bbprof_mark", mark, NULL, NULL);
  measure ("bbprof_dump", dump, NULL, NULL);
  return 0;
}
