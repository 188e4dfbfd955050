/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both forms of tracing must record the same of this: recursion, longjmp, callbacks, tail calls,
   threads, handlers, exit. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static _Thread_local jmp_buf back;
static _Thread_local int depth;

__attribute__ ((noinline)) static int
fib (int n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

__attribute__ ((noinline)) static void
leave (int n)
{
  if (n == 0)
    longjmp (back, 1);
  depth++;
  leave (n - 1);
  depth--;
}

__attribute__ ((noinline)) static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

__attribute__ ((noinline)) static int
tail (int n)
{
  return n & 1 ? fib (n % 7) : compare (&n, &depth);
}

__attribute__ ((noinline)) static int
choose (int n)
{
  switch (n % 6)
    {
    case 0:
      return fib (3);
    case 1:
      return 7;
    case 2:
      return tail (n);
    case 3:
      return raise (SIGUSR1) ? 8 : 1;
    case 4:
      return 9;
    default:
      return n;
    }
}

static void
handle (int number)
{
  fib (number % 5);
}

static void *
work (void *unused)
{
  int a[16];
  for (int i = 0; i < 16; i++)
    a[i] = i * 7 % 16;
  qsort (a, 16, sizeof *a, compare);
  for (int i = 0; i < 40; i++)
    a[0] += choose (i);
  for (int i = 0; i < 3; i++)
    if (setjmp (back) == 0)
      leave (i + 2);
  return unused;
}

__attribute__ ((noinline, noreturn)) static void
finish (void)
{
  exit (fib (5) != 5);
}

int
main (void)
{
  pthread_t threads[4];
  signal (SIGUSR1, handle);
  work (NULL);
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, work, NULL))
      return 99;
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  finish ();
}
