/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three equal loops, in turns of random length, for so many milliseconds of CPU time. */
#include "clocks.h"

#define LOOP(name)                                       \
  __attribute__ ((noipa)) static void name (long rounds) \
  {                                                      \
    spin (rounds);                                       \
  }
LOOP (first)
LOOP (second)
LOOP (third)

int
main (int argc, char **argv)
{
  long took[3] = { 0 }, wanted = argc > 1 ? atol (argv[1]) * 1000000 : 500000000;
  void (*const loops[]) (long) = { first, second, third };
  while (now (CLOCK_PROCESS_CPUTIME_ID) < wanted)
    {
      long which = below (3);
      TIMED (CPU, took[which], loops[which] (1000 + below (2000000)));
    }
  printf ("first %ld\nsecond %ld\nthird %ld\n", took[0], took[1], took[2]);
  printf ("all %ld\n", now (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
