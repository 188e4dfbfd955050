/* SPDX-License-Identifier: MIT */
/* A lock convoy: four threads need one lock, each for a moment, and sleep while they have it (a
   write to a disk, say).  So one of them is at work, and the others stand in line.

     cc -O2 convoy.c -o convoy -pthread
     bbprof timeline -- ./convoy            three of four wait for the lock, all of the time
     bbprof timeline -- ./convoy --cured    they sleep when they have given it back */
#define _GNU_SOURCE
#define BBPROF_OPTIONAL
#include <bbprof.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, ROUNDS = 8, WORK_NS = 1000000, WRITE_NS = 10000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long total; /* what the lock is for */
static int cured;

static long long
nanoseconds (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
work (void)
{
  const long long end = nanoseconds (CLOCK_THREAD_CPUTIME_ID) + WORK_NS;
  while (nanoseconds (CLOCK_THREAD_CPUTIME_ID) < end)
    ;
}

static void
write_slowly (void)
{
  const struct timespec time = { .tv_nsec = WRITE_NS };
  nanosleep (&time, NULL);
}

static void *
serve (void *name)
{
  pthread_setname_np (pthread_self (), name);
  for (int i = 0; i < ROUNDS; i++)
    {
      work ();
      pthread_mutex_lock (&lock);
      total++;
      if (!cured)
        write_slowly ();
      pthread_mutex_unlock (&lock);
      if (cured)
        write_slowly ();
    }
  if (bbprof_mark)
    bbprof_mark ("done");
  return NULL;
}

int
main (int argc, char **argv)
{
  static char names[THREADS][16] = { "server 1", "server 2", "server 3", "server 4" };
  pthread_t threads[THREADS];
  const long long from = nanoseconds (CLOCK_MONOTONIC);
  cured = argc > 1 && strcmp (argv[1], "--cured") == 0;
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, serve, names[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%lld rounds in %.1f ms\n", total, (double) (nanoseconds (CLOCK_MONOTONIC) - from) / 1e6);
  return 0;
}
