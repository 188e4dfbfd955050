/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known calls, in two threads, with a switch, a call through a pointer and some time in spin.  A
   kept profile is of the program as it was compiled then; this source may change for later ones. */
#include <pthread.h>
#include <stdio.h>

static volatile unsigned long work;

static __attribute__ ((noipa)) void
spin (int rounds)
{
  for (int i = 0; i < rounds * 1000; i++)
    work += (unsigned long) i;
}

static __attribute__ ((noipa)) int
odd (int n)
{
  return n * 3;
}

static __attribute__ ((noipa)) int
even (int n)
{
  return n + 7;
}

static int (*volatile step[]) (int) = { even, odd };

static __attribute__ ((noipa)) int
choose (int n)
{
  switch (n % 4)
    {
    case 0:
      return 1;
    case 1:
      return step[n & 1] (n);
    case 2:
      return step[n & 1] (n) + 1;
    default:
      return odd (n);
    }
}

static void *
thread (void *argument)
{
  long sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += choose (i);
  spin (*(int *) argument);
  return (void *) sum;
}

int
main (void)
{
  pthread_t other;
  void *sum;
  int rounds = 20000, more = 40000;
  pthread_create (&other, NULL, thread, &rounds);
  thread (&more);
  pthread_join (other, &sum);
  printf ("%ld\n", (long) sum);
  return 0;
}
