/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of lib.sh in C; fourth throws by longjmp. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

struct catcher {
  jmp_buf place;
  int sum;
};

static int sum;
static __thread struct catcher catcher;

static void
caught (void)
{
  __atomic_store_n (&sum, 1, __ATOMIC_RELAXED);
}

static int
others (int n)
{
  return n + 1;
}

static int
fourth (int n)
{
  if (n % 20 == 0)
    longjmp (catcher.place, 1);
  return n;
}

static int
choose (int n)
{
  if (n % 4 == 0)
    return fourth (n) + 1;
  return others (n) - 1;
}

static void *
work (void *unused)
{
  catcher.sum = 0;
  for (volatile int n = 0; n < 1000; n++)
    if (!setjmp (catcher.place))
      catcher.sum += choose (n);
    else
      caught ();
  __atomic_store_n (&sum, catcher.sum, __ATOMIC_RELAXED);
  return unused;
}

int
main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, work, NULL))
      return 1;
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", sum);
  return 0;
}
