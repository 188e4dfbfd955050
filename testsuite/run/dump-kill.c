/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump-kill DUMPS CALLS: so often the function counted is called CALLS times, and the profile is
   written; without end if DUMPS is 0. */
#include <stdlib.h>

#include "bbprof.h"

__attribute__ ((noipa)) void
counted (void)
{
  __asm__ volatile ("");
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  const int dumps = atoi (argv[1]), calls = atoi (argv[2]);
  for (int i = 0; i < dumps || dumps == 0; i++)
    {
      for (int k = 0; k < calls; k++)
        counted ();
      bbprof_dump ();
    }
  return 0;
}
