/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of schemas.test: two threads that wait for one lock, a loop, a marker. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "bbprof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;
static inline unsigned long square (unsigned long i) { return i * i; }
__attribute__ ((noipa)) unsigned long work (unsigned long n)
{
  for (unsigned long i = 0; i < n; i++)
    if (i % 3 == 0)
      sum += square (i);
  return sum;
}
__attribute__ ((noipa)) void never (void) { sum = 0; }
static void *thread (void *n)
{
  struct timespec pause = { 0, 20000000 };
  for (int i = 0; i < 3; i++)
    {
      pthread_mutex_lock (&lock);
      work ((unsigned long) n);
      nanosleep (&pause, NULL);
      pthread_mutex_unlock (&lock);
    }
  return NULL;
}
int main (int argc, char **argv)
{
  unsigned long n = argc > 1 ? strtoul (argv[1], NULL, 10) : 300000;
  pthread_t threads[2];
  bbprof_mark ("begin");
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, thread, (void *) n);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  if (argc > 2)
    never ();
  return 0;
}
