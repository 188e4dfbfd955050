/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads in all their ways: each ends as it would without a profiler, and says on stdout "NAME
   SECONDS", its CPU time by its own clock.  The main thread is one of them. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { SHORT = 200, AT_ONCE = 10 };

static volatile long x;
static pthread_key_t key;
static int destroyed, cleaned, bad;

static double
cpu_time (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
burn (double until)
{
  while (cpu_time () < until)
    for (int i = 0; i < 1000; i++)
      x++;
}

static void
tell (const char *name)
{
  printf ("%s %.6f\n", name, cpu_time ());
}

/* P: a number of milliseconds. */
static void *
work (void *p)
{
  char name[16];
  snprintf (name, sizeof name, "w%ld", (long) p);
  prctl (PR_SET_NAME, name);
  burn ((double) (long) p / 1e3);
  tell (name);
  return p;
}

static void
destroy (void *p)
{
  (void) p;
  __atomic_fetch_add (&destroyed, 1, __ATOMIC_SEQ_CST);
}

static void
clean (void *p)
{
  (void) p;
  cleaned++;
}

static void *
exits (void *p)
{
  pthread_setspecific (key, p);
  pthread_cleanup_push (clean, NULL);
  burn (0.01);
  pthread_exit ((void *) 7L);
  pthread_cleanup_pop (0);
  return NULL;
}

static void *
sleeps (void *p)
{
  pthread_setspecific (key, &key);
  pthread_cleanup_push (clean, NULL);
  __atomic_store_n ((int *) p, 1, __ATOMIC_SEQ_CST);
  sleep (1000);
  pthread_cleanup_pop (0);
  return NULL;
}

static void *
uses_stack (void *p)
{
  char bytes[8000];
  memset (bytes, 1, sizeof bytes);
  __asm__ ("" : : "r"(bytes) : "memory");
  (void) p;
  return (void *) (long) bytes[77];
}

static int
plain (void *p)
{
  burn (0.01);
  return (int) (long) p;
}

static void *
detached (void *p)
{
  burn (0.01);
  __atomic_store_n ((int *) p, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void
expect (const char *what, long is, long should)
{
  if (is != should)
    {
      fprintf (stderr, "%s: %ld instead of %ld\n", what, is, should);
      bad = 1;
    }
}

static long
join (pthread_t thread)
{
  void *result = NULL;
  expect ("pthread_join", pthread_join (thread, &result), 0);
  return (long) result;
}

static void
run_many (void)
{
  pthread_t threads[AT_ONCE];
  for (int i = 0; i < SHORT; i += AT_ONCE)
    {
      for (long k = 0; k < AT_ONCE; k++)
        pthread_create (&threads[k], NULL, work, (void *) (2 + k));
      for (long k = 0; k < AT_ONCE; k++)
        expect ("a thread's result", join (threads[k]), 2 + k);
    }
}

static void
end_in_other_ways (void)
{
  pthread_t thread;
  thrd_t other;
  int result, ready = 0;
  pthread_create (&thread, NULL, exits, &key);
  expect ("pthread_exit", join (thread), 7);
  expect ("destructors", destroyed, 1);
  expect ("clean-up", cleaned, 1);
  pthread_create (&thread, NULL, sleeps, &ready);
  while (!__atomic_load_n (&ready, __ATOMIC_SEQ_CST))
    usleep (1000);
  pthread_cancel (thread);
  expect ("pthread_cancel", join (thread), (long) PTHREAD_CANCELED);
  expect ("destructors after cancellation", destroyed, 2);
  expect ("clean-up after cancellation", cleaned, 2);
  thrd_create (&other, plain, (void *) 5L);
  thrd_join (other, &result);
  expect ("thrd_create", result, 5);
}

static void
use_attributes (void)
{
  pthread_t thread;
  pthread_attr_t attributes;
  int done = 0;
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, 16384);
  pthread_create (&thread, &attributes, uses_stack, NULL);
  expect ("a small stack", join (thread), 1);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create (&thread, &attributes, detached, &done);
  while (!__atomic_load_n (&done, __ATOMIC_SEQ_CST))
    usleep (1000);
  pthread_attr_setstacksize (&attributes, 1UL << 46);
  expect ("too large a stack", pthread_create (&thread, &attributes, detached, &done), EAGAIN);
}

int
main (void)
{
  pthread_t one, three;
  pthread_key_create (&key, destroy);
  pthread_create (&one, NULL, work, (void *) 300L);
  pthread_create (&three, NULL, work, (void *) 900L);
  join (one);
  join (three);
  run_many ();
  end_in_other_ways ();
  use_attributes ();
  burn (0.5);
  tell ("births");
  return bad;
}
