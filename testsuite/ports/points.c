// SPDX-License-Identifier: GPL-3.0-or-later
/* Does the run-time library recognise the trace point behind a call?  Compiled with and without
   trace points, -DTRACED for the first. */
#include <stdbool.h>
#include <stdio.h>

bool is_point_here (void), is_point_in_plain (void);

#ifdef TRACED
static int failures;
#define POINT(call)                                     \
  do                                                    \
    {                                                   \
      bool is = (call);                                 \
      if (!is)                                          \
        printf ("no point in line %d\n", __LINE__);     \
      failures += !is;                                  \
    }                                                   \
  while (0)

/* With registers in use, and with none to spare. */
static __attribute__ ((noinline)) double
busy (int n, double a, double b)
{
  double sum = a;
  for (int i = 0; i < n; i++)
    {
      POINT (is_point_here ());
      sum = sum * b + i;
    }
  return sum;
}

int
main (int count, char **words)
{
  bool first = is_point_here ();
  POINT (first);
  POINT (is_point_here ());
  if (is_point_in_plain ())
    failures++, puts ("a point in code without");
  busy (count + 3, count, 0.5);
  return words[0] == NULL || failures != 0;
}
#else
#include "arch.h"

bool
is_point_here (void)
{
  return bbp_arch_is_point (__builtin_return_address (0));
}

bool
is_point_in_plain (void)
{
  volatile bool is = is_point_here ();
  return is;
}
#endif
