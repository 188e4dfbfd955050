/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads with names and marks that are not easy to write down, which run, sleep, and wait for each
   other. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BBPROF_OPTIONAL
#include "bbprof.h"

static void
mark (const char *text)
{
  if (bbprof_mark)
    bbprof_mark (text);
}

/* Uses so much CPU time. */
static void
burn (long ns)
{
  struct timespec from, to;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &from);
  do
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &to);
  while ((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec < ns);
}

static void *
spin (void *unused)
{
  (void) unused;
  pthread_setname_np (pthread_self (), "spinner");
  burn (40000000);
  return NULL;
}

static void *
doze (void *unused)
{
  (void) unused;
  pthread_setname_np (pthread_self (), "d\xc3\xb6z\"\\\xff");
  for (int i = 0; i < 20; i++)
    {
      usleep (2000);
      burn (100000);
    }
  return NULL;
}

int
main (void)
{
  pthread_t threads[3];
  mark ("begin");
  pthread_create (&threads[0], NULL, spin, NULL);
  pthread_create (&threads[1], NULL, spin, NULL);
  pthread_create (&threads[2], NULL, doze, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  mark ("<joined> & \"done\"");
  puts ("output of the program");
  usleep (3000);
  return 3;
}
