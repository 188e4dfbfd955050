/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the clock for so many milliseconds. */
#include "clocks.h"

int
main (int argc, char **argv)
{
  const long until = now (WALL) + (argc > 1 ? atol (argv[1]) : 500) * 1000000;
  while (now (WALL) < until)
    ;
  return 0;
}
