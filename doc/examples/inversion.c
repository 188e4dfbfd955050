/* SPDX-License-Identifier: MIT */
/* Priority inversion: three threads on one processor.  "low" has a lock, and little right to the
   processor (nice 19).  "high" wants that lock.  "middle" wants none: but it takes the processor
   from "low", and so "high" waits for "middle".

     cc -O2 inversion.c -o inversion -pthread
     bbprof timeline -- ./inversion            high waits for the lock while middle runs
     bbprof timeline -- ./inversion --cured    low does its work first, and then takes the lock
                                               for a moment */
#define _GNU_SOURCE
#define BBPROF_OPTIONAL
#include <bbprof.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds of processor time, but for ROUNDS. */
enum { LOW_WORK = 4, MIDDLE_WORK = 60, HIGH_WORK = 5, ROUNDS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Requests, a byte each: a thread that waits for one waits for a pipe, not for a
   lock. */
static int low_may[2], middle_may[2], high_may[2], done[2];
static int cured;

static void
ask (const int *ends)
{
  if (write (ends[1], "", 1) != 1)
    _exit (1);
}

static void
await (const int *ends)
{
  char byte;
  if (read (ends[0], &byte, 1) != 1)
    _exit (1);
}

static long long
nanoseconds (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
work (int milliseconds)
{
  const long long end = nanoseconds (CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1000000LL;
  while (nanoseconds (CLOCK_THREAD_CPUTIME_ID) < end)
    ;
}

static void
mark (const char *text)
{
  if (bbprof_mark)
    bbprof_mark (text);
}

static void
begin (const char *name, int nice)
{
  pthread_setname_np (pthread_self (), name);
  setpriority (PRIO_PROCESS, (id_t) syscall (SYS_gettid), nice);
}

/* The others come while it works. */
static void
work_when_others_come (void)
{
  ask (high_may);
  ask (middle_may);
  work (LOW_WORK);
}

static void *
low (void *unused)
{
  begin ("low", 19);
  for (int i = 0; i < ROUNDS; i++)
    {
      await (low_may);
      if (cured)
        work_when_others_come ();
      pthread_mutex_lock (&lock);
      mark ("low has the lock");
      if (!cured)
        work_when_others_come ();
      pthread_mutex_unlock (&lock);
    }
  return unused;
}

static void *
middle (void *unused)
{
  begin ("middle", 5);
  for (int i = 0; i < ROUNDS; i++)
    {
      await (middle_may);
      work (MIDDLE_WORK);
      ask (done);
    }
  return unused;
}

/* Tells how long it waited. */
static void *
high (void *longest)
{
  begin ("high", 0);
  for (int i = 0; i < ROUNDS; i++)
    {
      await (high_may);
      const long long from = nanoseconds (CLOCK_MONOTONIC);
      mark ("high wants it");
      pthread_mutex_lock (&lock);
      mark ("high has it");
      const long long waited = nanoseconds (CLOCK_MONOTONIC) - from;
      *(long long *) longest = waited > *(long long *) longest ? waited : *(long long *) longest;
      work (HIGH_WORK);
      pthread_mutex_unlock (&lock);
      ask (done);
    }
  return NULL;
}

static void
stay_on_one_processor (void)
{
  cpu_set_t all, one;
  CPU_ZERO (&one);
  sched_getaffinity (0, sizeof all, &all);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT (&one) == 0; i++)
    if (CPU_ISSET (i, &all))
      CPU_SET (i, &one);
  sched_setaffinity (0, sizeof one, &one);
}

int
main (int argc, char **argv)
{
  long long longest = 0;
  pthread_t threads[3];
  void *(*const bodies[]) (void *) = { low, middle, high };
  cured = argc > 1 && strcmp (argv[1], "--cured") == 0;
  stay_on_one_processor ();
  if (pipe (low_may) || pipe (middle_may) || pipe (high_may) || pipe (done))
    return 1;
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, bodies[i], &longest);
  for (int i = 0; i < ROUNDS; i++)
    {
      ask (low_may);
      await (done);
      await (done);
    }
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("high waited for the lock: %.1f ms at most\n", (double) longest / 1e6);
  return 0;
}
