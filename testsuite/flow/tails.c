// SPDX-License-Identifier: GPL-3.0-or-later
/* Tail calls, which are jumps when the compiler optimizes: chains of them, alternating, through
   pointers, by conditional jumps, into libraries and out of libc.  Each arc has the true caller,
   not the caller's caller. */
#include "places.h"
#include "callers.h"
#include <search.h>

static volatile int sink;

APART void
note (int n)
{
  AT (noted);
  sink = n;
}

APART int
last (int n)
{
  if (n < 1000)
    FROM (middle);
  else
    FROM (main);
  return n + 1;
}

APART int
middle (int n)
{
  FROM (first);
  note (n);
  return last (n);
}

APART int
first (int n)
{
  FROM (main);
  if (n == 7)
    {
      AT (first_seven);
      return 0;
    }
  return middle (n);
}

APART int even (int n);

APART int
odd (int n)
{
  if (n == 101)
    FROM (main);
  else
    FROM (even);
  if (n == 0)
    return 0;
  return even (n - 1);
}

APART int
even (int n)
{
  FROM (odd);
  if (n == 0)
    {
      AT (even_end);
      return 1;
    }
  if (n % 10 == 0)
    note (n);
  return odd (n - 1);
}

APART int
by_pointer (int (*f) (int), int n)
{
  AT (by_pointer);
  return f (n);
}

APART int
one (int n)
{
  FROM (by_pointer);
  return n + 1;
}

APART int
two (int n)
{
  FROM (by_pointer);
  note (n);
  return n + 2;
}

/* One of the calls is a conditional jump. */
APART int
either (int n)
{
  AT (either);
  if (n & 1)
    return by_pointer (one, n);
  note (n);
  return by_pointer (two, n);
}

APART int
callback (int n)
{
  FROM (outside);
  note (n);
  return n;
}

/* The plain library is left by a jump, too. */
APART int
around (int n)
{
  AT (around);
  return plain_pass (callback, n);
}

APART int
abroad (int n)
{
  AT (abroad);
  return other_tail (n);
}

static void
visit (const void *node, VISIT which, int depth)
{
  FROM (outside);
  if (which == leaf)
    AT (visit_leaf);
  note (depth);
}

static int
compare (const void *a, const void *b)
{
  FROM (outside);
  return *(const int *)a - *(const int *)b;
}

APART void
walk (void)
{
  static int numbers[20];
  void *root = 0;
  for (int i = 0; i < 20; i++)
    {
      AT (walk);
      numbers[i] = i * 7 % 20;
      tsearch (&numbers[i], &root, compare);
    }
  AT (walk_end);
  twalk (root, visit);
}

__attribute__ ((__noipa__, noreturn)) static void
leave (int n)
{
  FROM (leave_also);
  exit (n);
}

APART void
leave_also (int n)
{
  AT (leave_also);
  leave (n);
}

int
main (int count, char **words)
{
  AT (main);
  for (int i = 0; i < 10; i++)
    {
      AT (main_loop);
      sink = first (i) + last (1000 + i);
      sink = either (i) + around (i) + abroad (i);
    }
  AT (main_behind);
  note (odd (101));
  walk ();
  leave_also (6);
}
