/* SPDX-License-Identifier: GPL-3.0-or-later */
/* THREADS threads call one function CALLS times each: f is called THREADS x CALLS times, and each
   of its blocks runs as often. */
#include <pthread.h>
#include <stdlib.h>

__attribute__ ((noipa)) static int
f (int x)
{
  __asm__ volatile ("" : "+r"(x));
  return x + 1;
}

static void *
work (void *calls)
{
  long sum = 0;
  for (long i = 0; i < (long) calls; i++)
    sum += f ((int) i);
  return (void *) sum;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 4;
  long calls = argc > 2 ? atol (argv[2]) : 20000000;
  pthread_t threads[n];
  for (int i = 0; i < n; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) calls))
      return 1;
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
