/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a function so many times in a second of CPU time, more or less: 0: as often as it can. */
#include "clocks.h"

__attribute__ ((noipa)) static void
called (long rounds)
{
  spin (rounds);
}

__attribute__ ((noipa)) static void
calls (long n, long rounds)
{
  while (n--)
    called (rounds);
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  long took = 0, rounds = atol (argv[1]), wanted = atol (argv[2]) * 1000000;
  while (now (CLOCK_PROCESS_CPUTIME_ID) < wanted)
    TIMED (CPU, took, calls (10000000 / (rounds + 3), rounds));
  printf ("calls %ld\nall %ld\n", took, now (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
