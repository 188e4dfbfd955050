/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cycle of three, a function that calls itself, one that is called by the library, many callers,
   a static name that another file has, too, and a function that is never called. */
#include <stdlib.h>

#define APART __attribute__ ((noinline, noclone))

volatile int sink;
int other (int);

APART static void
work (int n)
{
  for (int i = 0; i < n; i++)
    sink += i;
}

APART int a (int n);

APART int
b (int n)
{
  work (20000);
  return n <= 0 ? 0 : a (n - 1) + 1;
}

APART int
c (int n)
{
  work (10000);
  return n <= 0 ? 0 : b (n - 1) + 1;
}

APART int
a (int n)
{
  work (10000);
  return n <= 0 ? 0 : (n % 3 ? b (n - 1) : c (n - 2)) + 1;
}

APART int
fib (int n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

APART int
compare (const void *x, const void *y)
{
  work (10);
  return *(const int *) x - *(const int *) y;
}

APART int
never (int n)
{
  return fib (n);
}

#define CALLER(n) \
  APART int caller_number_##n (int x) { work (x); return x + n; }
CALLER (1) CALLER (2) CALLER (3) CALLER (4) CALLER (5) CALLER (6) CALLER (7) CALLER (8) CALLER (9)

int
main (int argc, char **argv)
{
  int numbers[1000];
  (void) argv;
  for (int i = 0; i < 1000; i++)
    numbers[i] = rand ();
  qsort (numbers, 1000, sizeof *numbers, compare);
  for (int i = 0; i < 40; i++)
    sink += a (50) + c (20) + other (i);
  sink += fib (22);
  sink += caller_number_1 (1) + caller_number_2 (2) + caller_number_3 (3) + caller_number_4 (4)
          + caller_number_5 (5)
          + caller_number_6 (6) + caller_number_7 (7) + caller_number_8 (8) + caller_number_9 (9);
  return argc > 5 ? never (argc) : 0;
}
