/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that allocate; says what its environment has of the profiler's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *
run (void *unused)
{
  for (int i = 1; i <= 20000; i++)
    free (malloc ((size_t) i % 300 + 1));
  return unused;
}

int
main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, run, NULL) != 0)
      return 2;
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%s %s\n", getenv ("LD_PRELOAD") ? "preloaded" : "plain",
          getenv ("BBPROF_OPTIONS") ? "told" : "untold");
  return 0;
}
