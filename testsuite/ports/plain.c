/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls whose numbers are known: four threads, each 1,000 times middle, which calls leaf 10 times,
   and a recursion of 100 calls, each with one of leaf.  Then one thread works, three quarters of
   its time in longer and one quarter in shorter. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__ ((noipa)) static unsigned
leaf (unsigned x)
{
  return x * 3 + 1;
}

__attribute__ ((noipa)) static unsigned
middle (unsigned x)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < 10; i++)
    sum += leaf (x + i);
  return sum;
}

__attribute__ ((noipa)) static unsigned
deeper (unsigned n)
{
  return n ? deeper (n - 1) + leaf (n) : 0;
}

static void *
work (void *unused)
{
  for (unsigned i = 0; i < 1000; i++)
    sink = middle (i);
  sink = deeper (100);
  return unused;
}

__attribute__ ((noipa)) static void
burn (int milliseconds)
{
  clock_t begin = clock ();
  do
    for (unsigned i = 0; i < 10000; i++)
      sink = i;
  while (clock () - begin < (clock_t) milliseconds * CLOCKS_PER_SEC / 1000);
}

__attribute__ ((noipa)) static void
longer (int milliseconds)
{
  burn (milliseconds);
  __asm__ volatile ("");
}

__attribute__ ((noipa)) static void
shorter (int milliseconds)
{
  burn (milliseconds);
  __asm__ volatile ("");
}

int
main (int count, char **words)
{
  int milliseconds = count > 1 ? atoi (words[1]) : 0;
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, work, NULL))
      return 1;
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  if (milliseconds)
    {
      longer (milliseconds * 3);
      shorter (milliseconds);
    }
  puts ("done");
  return 7;
}
