/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small function that is called all the time, and a large one that works: counting the first
   costs most.  Argument: rounds. */
#include <stdio.h>
#include <stdlib.h>

__attribute__ ((noinline)) static unsigned
tiny (unsigned x)
{
  return x & 1 ? x >> 1 : x >> 2;
}

__attribute__ ((noinline)) static unsigned
work (unsigned x)
{
  for (int i = 0; i < 40; i++)
    {
      x = x * 1664525 + 1013904223;
      x ^= x >> 13;
      x = x * 5 ^ x << 7;
      x /= (x >> 30) + 3;
      x = x * 77 + 5;
      x /= (x >> 29) + 7;
    }
  return x;
}

int
main (int argc, char **argv)
{
  unsigned s = 1;
  for (int i = argc > 1 ? atoi (argv[1]) : 0; i > 0; i--)
    {
      for (unsigned k = 0; k < 50; k++)
        s += tiny (s + k);
      s ^= work (s);
    }
  printf ("%u\n", s);
  return 0;
}
