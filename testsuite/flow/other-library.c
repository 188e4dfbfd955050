// SPDX-License-Identifier: GPL-3.0-or-later
/* An instrumented library: called by name and by pointer, by itself and by others. */
#include "places.h"
#include "callers.h"

static ALONE int
inner (int n)
{
  FROM (other_add);
  if (n & 1)
    AT (inner_odd);
  return n;
}

int
other_add (int n)
{
  if (n < 10)
    FROM (libraries);
  else
    FROM (other_sub);
  int result = inner (n) + 1;
  AT (other_add_behind);
  return result;
}

int
other_sub (int n)
{
  if (n == 4)
    FROM (libraries);
  else
    FROM (outside);
  int result = other_add (n + 10);
  AT (other_sub_behind);
  return result - 2;
}

int
other_call (int (*f) (int), int n)
{
  FROM (libraries);
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      AT (other_loop);
      sum += f (i);
    }
  return sum;
}

static ALONE int
behind (int n)
{
  FROM (other_tail);
  return n + 1;
}

int
other_tail (int n)
{
  FROM (abroad);
  return behind (n);
}
