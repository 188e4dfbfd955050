/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that know what they do: three spin on one processor, one naps (0.5 ms of work, 9.5 ms of
   sleep), one sleeps, one waits for a lock.  At the end it prints of each: its name, the
   nanoseconds of its own clock, its switches as the kernel has counted them, and ends with status
   7.

   usage: top SECONDS */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SPINNERS = 3, THREADS = SPINNERS + 3, WORK = 500000, NAP = 9500000 };

static struct result {
  char name[16];
  long cpu, voluntary, involuntary;
} results[THREADS];
static atomic_int done;
static long seconds, until;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void
rest (long ns)
{
  nanosleep (&(struct timespec) { ns / 1000000000, ns % 1000000000 }, NULL);
}

static void
spin (void)
{
  cpu_set_t all, one;
  sched_getaffinity (0, sizeof all, &all);
  CPU_ZERO (&one);
  for (int i = 0; CPU_COUNT (&one) == 0; i++)
    if (CPU_ISSET (i, &all))
      CPU_SET (i, &one);
  sched_setaffinity (0, sizeof one, &one);
  while (now (CLOCK_MONOTONIC) < until)
    ;
}

static void
nap (void)
{
  while (now (CLOCK_MONOTONIC) < until)
    {
      for (long begin = now (CLOCK_THREAD_CPUTIME_ID);
           now (CLOCK_THREAD_CPUTIME_ID) < begin + WORK;)
        ;
      rest (NAP);
    }
}

/* Then nothing is done but to wait for the end: one voluntary switch more. */
static void *
run (void *argument)
{
  static const struct {
    const char *name;
    void (*work) (void);
  } kinds[] = { { "spinner", spin }, { "napper", nap }, { "sleeper", NULL }, { "waiter", NULL } };
  struct result *r = argument;
  long n = r - results;
  int kind = n < SPINNERS ? 0 : (int) n - SPINNERS + 1;
  struct rusage usage;
  snprintf (r->name, sizeof r->name, "%s%ld", kinds[kind].name, n);
  pthread_setname_np (pthread_self (), r->name);
  if (kinds[kind].work)
    kinds[kind].work ();
  else if (kind == 2)
    rest (seconds * 1000000000);
  else
    {
      pthread_mutex_lock (&lock);
      pthread_mutex_unlock (&lock);
    }
  r->cpu = now (CLOCK_THREAD_CPUTIME_ID);
  getrusage (RUSAGE_THREAD, &usage);
  r->voluntary = usage.ru_nvcsw;
  r->involuntary = usage.ru_nivcsw;
  atomic_fetch_add (&done, 1);
  for (;;)
    pause ();
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  seconds = argc > 1 ? atol (argv[1]) : 2;
  until = now (CLOCK_MONOTONIC) + seconds * 1000000000;
  pthread_mutex_lock (&lock);
  for (long i = 0; i < THREADS; i++)
    pthread_create (&thread, NULL, run, &results[i]);
  rest (seconds * 1000000000);
  pthread_mutex_unlock (&lock);
  while (atomic_load (&done) < THREADS)
    rest (10000000);
  rest (20000000);
  for (long i = 0; i < THREADS; i++)
    printf ("%s %ld %ld %ld\n", results[i].name, results[i].cpu, results[i].voluntary,
            results[i].involuntary);
  return 7;
}
