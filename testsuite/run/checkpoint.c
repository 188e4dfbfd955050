/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts something in 3 threads, then says so and burns CPU time without a call until it is killed.
   Argument stop: it has stopped the profiler by then. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bbprof.h"

__attribute__ ((noipa)) void
counted (void)
{
  __asm__ volatile ("");
}

static void *
work (void *unused)
{
  for (int i = 0; i < 1000; i++)
    counted ();
  return unused;
}

int
main (int argc, char **argv)
{
  pthread_t thread[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create (&thread[i], NULL, work, NULL))
      return 1;
  for (int i = 0; i < 3; i++)
    pthread_join (thread[i], NULL);
  if (argc > 1 && strcmp (argv[1], "stop") == 0)
    bbprof_stop ();
  puts ("counted");
  fflush (stdout);
  for (volatile unsigned long i = 0;; i++)
    continue;
}
