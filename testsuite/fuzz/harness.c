/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a generated program that is never instrumented: main, its threads, and functions
   that the generated code cannot have.  Prints `result NUMBER' if it ends by returning from
   main. */
#include "testsuite/fuzz/harness.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned result;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
leave (int way)
{
  if (way == 0)
    exit (3);
  truth_print ();
  if (way == 1)
    _exit (4);
  raise (SIGTERM);
  abort ();
}

static int
compare (const void *a, const void *b)
{
  unsigned x = *(const unsigned *) a, y = *(const unsigned *) b;
  return (int) (program_order (x, y) - program_order (y, x));
}

unsigned
sorted (unsigned x)
{
  unsigned list[7];
  for (unsigned i = 0; i < 7; i++)
    list[i] = (x = x * 1664525u + 1013904223u) >> 16;
  qsort (list, 7, sizeof *list, compare);
  return list[3];
}

/* All runs of one thread. */
static void
run (unsigned x)
{
  for (int i = 0; i < program_runs; i++)
    {
      truth.fuel = 400;
      truth.env = NULL;
      truth.catching = 0;
      x += program (x);
      if (program_signal)
        raise (SIGUSR1);
    }
  pthread_mutex_lock (&lock);
  result += x;
  pthread_mutex_unlock (&lock);
}

static void *
thread (void *seed)
{
  run (*(unsigned *) seed);
  truth_add ();
  return NULL;
}

int
main (void)
{
  pthread_t threads[8];
  unsigned seeds[8];
  signal (SIGUSR1, program_handler);
  for (int i = 0; i < program_threads; i++)
    {
      seeds[i] = (unsigned) i * 77u;
      if (pthread_create (&threads[i], NULL, thread, &seeds[i]))
        return 99;
    }
  run (4711);
  for (int i = 0; i < program_threads; i++)
    pthread_join (threads[i], NULL);
  printf ("result %u\n", result);
  return 0;
}
