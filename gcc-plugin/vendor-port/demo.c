/* SPDX-License-Identifier: MIT */
/* A program that counts executions of some of its places.  It prints for each function the counts
   that its blocks must have, and how many functions were left without a return.  It takes and
   returns values of all kinds, which the port's texts must not change; exit status 0: intact. */
#include <stdarg.h>
#include <stdio.h>

static volatile long odd_calls, odd_true, sum_calls, sum_rounds, sum_odd, deep_calls, deep_end;
static volatile long mix_calls, add_calls, add_rounds;

__attribute__ ((noipa)) static long
odd (long x)
{
  odd_calls++;
  if (x & 1)
    odd_true++;
  return x * 3;
}

__attribute__ ((noipa)) static long
sum (long n)
{
  long s = 0, i = 0;
  sum_calls++;
  do
    {
      sum_rounds++;
      if (odd (i) % 7 == 5)
        sum_odd++;
      s += i;
    }
  while (++i < n);
  return s;
}

static long deep (long n);
static long (*volatile itself) (long) = deep; /* not to become a loop */

__attribute__ ((noipa)) static long
deep (long n)
{
  long below = 0;
  deep_calls++;
  if (n > 0)
    below = itself (n - 1);
  else
    deep_end++;
  return below + n;
}

__attribute__ ((noipa)) static double
mix (int a, double b, float c, long d, double e, int f, int g, int h, int i)
{
  mix_calls++;
  return a + b + c + d + e + f + g + h + i;
}

__attribute__ ((noipa)) static double
add (int n, ...)
{
  double s = 0;
  va_list list;
  va_start (list, n);
  add_calls++;
  do
    {
      add_rounds++;
      s += va_arg (list, double);
    }
  while (--n > 0);
  va_end (list);
  return s;
}

int
main (void)
{
  int ok = mix (1, 2.5, 3.25f, 4, 5.125, 6, 7, 8, 9) == 45.875 && add (3, 0.5, 0.25, 4.0) == 4.75;
  ok &= sum (7) == 21 && sum (30) == 435 && sum (1001) == 500500;
  ok &= deep (12) == 78;
  printf ("odd %ld %ld\n", odd_calls, odd_true);
  printf ("sum %ld %ld %ld\n", sum_calls, sum_rounds, sum_odd);
  printf ("deep %ld %ld %ld\n", deep_calls, deep_calls - deep_end, deep_end);
  printf ("mix %ld\n", mix_calls);
  printf ("add %ld %ld\n", add_calls, add_rounds);
  printf ("unwound 0\n");
  return !ok;
}
