/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A DLL that works and calls back. */
#define EXPORT __declspec (dllexport)

EXPORT int work (int rounds, int (*back) (int));

static __attribute__ ((noinline)) int
inner (int x)
{
  return x * 3;
}

EXPORT int
work (int rounds, int (*back) (int))
{
  int sum = 0;
  for (int i = 0; i < rounds; i++)
    sum += inner (i) + back (i);
  return sum;
}
