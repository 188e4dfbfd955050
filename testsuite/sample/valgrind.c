/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for valgrind: works long enough for many ticks, in two threads, and makes the errors
   that its argument names; without one it tells whether it sees the profiler's options. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long shared;

static void *
work (void *race)
{
  volatile long sum = 0;
  for (long i = 0; i < 4000000; i++)
    sum += i;
  if (race)
    shared += sum;
  return NULL;
}

static void
on_signal (int number)
{
  (void) number;
  write (1, "handled\n", 8);
}

int
main (int argc, char **argv)
{
  const char *error = argc > 1 ? argv[1] : "";
  pthread_t thread;
  void *race = strcmp (error, "race") == 0 ? &shared : NULL;
  signal (SIGUSR1, on_signal);
  raise (SIGUSR1);
  pthread_create (&thread, NULL, work, race);
  work (race);
  pthread_join (thread, NULL);
  if (strcmp (error, "overflow") == 0)
    ((volatile char *) malloc (10))[10] = 1;
  if (strcmp (error, "fault") == 0)
    *(volatile int *) 1 = 1;
  puts (argc == 1 && getenv ("BBPROF_OPTIONS") ? "seen" : "unseen");
  return 7;
}
