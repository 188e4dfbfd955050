/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Not profiled: uses argv[1] seconds of CPU time and says so. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int
main (int argc, char **argv)
{
  clock_t end = clock () + (clock_t) (atof (argv[argc - 1]) * CLOCKS_PER_SEC);
  while (clock () < end)
    ;
  puts ("survived");
  return 0;
}
