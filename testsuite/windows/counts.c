/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts THREADS ROUNDS: each thread calls leaf in each round, and in each fourth one again, by a
   pointer.  The same source for both systems. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

static long rounds;
static unsigned sums[MOST];

static __attribute__ ((noinline)) unsigned
leaf (unsigned x)
{
  return x ^ (x >> 3);
}

static unsigned (*volatile by_pointer) (unsigned) = leaf;

static __attribute__ ((noinline)) void *
run (void *number)
{
  unsigned sum = 1;
  for (long i = 0; i < rounds; i++)
    {
      sum += leaf (sum);
      if (i % 4 == 0)
        sum += by_pointer (sum);
    }
  sums[(size_t) number] = sum;
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[MOST];
  size_t n = argc > 1 ? (size_t) atoi (argv[1]) : 1;
  rounds = argc > 2 ? atol (argv[2]) : 1000;
  for (size_t i = 0; i < n; i++)
    pthread_create (&threads[i], NULL, run, (void *) i);
  for (size_t i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  printf ("%u\n", sums[0]);
  return 0;
}
