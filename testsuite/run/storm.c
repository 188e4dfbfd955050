/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ROUNDS times WIDTH threads begin, call f CALLS times, and end: blocks of threads are used again
   and keep their counts. */
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
  for (long i = 0; i < (long) calls; i++)
    f ((int) i);
  return NULL;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1000, width = argc > 2 ? atoi (argv[2]) : 4;
  long calls = argc > 3 ? atol (argv[3]) : 7;
  pthread_t threads[width];
  for (int round = 0; round < rounds; round++)
    {
      for (int i = 0; i < width; i++)
        if (pthread_create (&threads[i], NULL, work, (void *) calls))
          return 1;
      for (int i = 0; i < width; i++)
        pthread_join (threads[i], NULL);
    }
  return 0;
}
