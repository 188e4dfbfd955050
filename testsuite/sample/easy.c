/* SPDX-License-Identifier: GPL-3.0-or-later */
/* easy () and hard () call work () equally often, but hard () gives it 99 times as much to do; f, g
   and h are called by main, and call nothing. */
#include "clocks.h"

#define FUNCTION(name) __attribute__ ((noipa)) static void name (long rounds)

FUNCTION (work) { spin (rounds); }

FUNCTION (easy)
{
  work (rounds);
  __asm__ volatile ("");
}

FUNCTION (hard)
{
  work (rounds * 99);
  __asm__ volatile ("");
}

FUNCTION (f) { spin (rounds); }
FUNCTION (g) { spin (rounds * 2); }
FUNCTION (h) { spin (rounds * 4); }

int
main (int argc, char **argv)
{
  long took[5] = { 0 }, ms = argc > 1 ? atol (argv[1]) : 500;
  void (*const functions[]) (long) = { easy, hard, f, g, h };
  while (now (CLOCK_PROCESS_CPUTIME_ID) < ms * 1000000)
    for (int i = 0; i < 5; i++)
      {
        long rounds = i < 2 ? 20000 : 300000;
        TIMED (CPU, took[i], functions[i] (rounds / 2 + below (rounds)));
      }
  printf ("easy %ld\nhard %ld\nf %ld\ng %ld\nh %ld\n", took[0], took[1], took[2], took[3], took[4]);
  printf ("all %ld\n", now (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
