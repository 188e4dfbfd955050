/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second function `work', and parts of functions with names of their own
   (.constprop, .isra, .part, .cold). */
#include <stdio.h>
#include <stdlib.h>

struct pair { int left, right; };
extern volatile int sink;

__attribute__ ((noinline)) static int
work (struct pair *p, int times, int unused)
{
  if (times < 0)
    {
      fprintf (stderr, "no such thing: %d %d\n", times, unused);
      abort ();
    }
  for (int i = 0; i < times; i++)
    sink += p->left * i;
  return sink;
}

__attribute__ ((noinline)) static int
half (struct pair *p, int times)
{
  if (!p)
    return 0;
  for (int i = 0; i < 100; i++)
    sink += work (p, times, 7) / 2;
  return sink;
}

int
other (int n)
{
  struct pair p = { n, n + 1 };
  return half (&p, 10) + half (&p, 20) + half (n > 1000 ? 0 : &p, 30);
}
