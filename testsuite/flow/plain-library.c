// SPDX-License-Identifier: GPL-3.0-or-later
/* A library without counters, which calls the functions that it is given. */
#include "callers.h"

int
plain_call (int (*f) (int), int n, int times)
{
  int sum = 0;
  for (int i = 0; i < times; i++)
    sum += f (n);
  return sum;
}

int
plain_pass (int (*f) (int), int n)
{
  return f (n);
}
