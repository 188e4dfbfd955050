/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the benchmark of the timeline: the same work in each run.

     switches turns THREADS N    each thread works for about 1 ms, then sleeps for 50 us, N times
     switches storm N            two threads hand one turn to each other by futex, N times each
     switches idle SECONDS       one thread sleeps

   Prints the context switches of its threads, from getrusage. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MOST = 64, WORK = 400000 };

static long turns;
static _Atomic uint32_t turn;

static void *
take_turns (void *seed)
{
  volatile uint64_t number = (uint64_t) (intptr_t) seed;
  const struct timespec pause = { .tv_nsec = 50000 };
  for (long i = 0; i < turns; i++)
    {
      for (int k = 0; k < WORK; k++)
        number = number * 6364136223846793005U + 1;
      nanosleep (&pause, NULL);
    }
  return NULL;
}

static void *
hand_over (void *number)
{
  const uint32_t me = (uint32_t) (intptr_t) number;
  for (long i = 0; i < turns; i++)
    {
      while (atomic_load (&turn) != me)
        syscall (SYS_futex, &turn, FUTEX_WAIT_PRIVATE, 1 - me, NULL, NULL, 0);
      atomic_store (&turn, 1 - me);
      syscall (SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
  return NULL;
}

static void
run (void *(*body) (void *), long n)
{
  pthread_t threads[THREADS_MOST];
  for (intptr_t i = 0; i < n; i++)
    pthread_create (&threads[i], NULL, body, (void *) i);
  for (long i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  struct rusage usage;
  const char *what = argc > 1 ? argv[1] : "";
  const long number = argc > 2 ? atol (argv[2]) : 0;
  turns = argc > 3 ? atol (argv[3]) : number;
  if (strcmp (what, "turns") == 0 && number <= THREADS_MOST)
    run (take_turns, number);
  else if (strcmp (what, "storm") == 0)
    run (hand_over, 2);
  else if (strcmp (what, "idle") == 0)
    sleep ((unsigned) number);
  else
    return 2;
  getrusage (RUSAGE_SELF, &usage);
  printf ("%ld\n", usage.ru_nvcsw + usage.ru_nivcsw);
  return 0;
}
