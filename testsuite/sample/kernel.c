/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lives in one system call: read or nanosleep; or in both and in a loop of its own, by turns.
   Prints the time of each by its clock. */
#include "clocks.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 20];
static int zeros;

__attribute__ ((noipa)) static void
reads (void)
{
  for (int i = 0; i < 16; i++)
    if (read (zeros, buffer, sizeof buffer) <= 0) /* any signal may cut it short */
      abort ();
}

__attribute__ ((noipa)) static void
sleeps (void)
{
  struct timespec wanted = { .tv_nsec = 1000000 + below (20000000) }, left;
  long begin = now (WALL);
  if (nanosleep (&wanted, &left) != 0 || now (WALL) - begin < wanted.tv_nsec)
    {
      fprintf (stderr, "kernel: interrupted\n");
      exit (3);
    }
}

__attribute__ ((noipa)) static void
computes (void)
{
  spin (1000 + below (4000000));
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  clockid_t clock = strcmp (argv[1], "wall") == 0 ? WALL : CPU;
  long took[3] = { 0 }, wanted = atol (argv[2]) * 1000000, begin = now (WALL);
  zeros = open ("/dev/zero", O_RDONLY);
  while (now (WALL) - begin < wanted)
    switch (argv[3][below ((long) strlen (argv[3]))])
      {
      case 'r': TIMED (clock, took[0], reads ()); break;
      case 's': TIMED (clock, took[1], sleeps ()); break;
      default: TIMED (clock, took[2], computes ());
      }
  printf ("reads %ld\nsleeps %ld\ncomputes %ld\n", took[0], took[1], took[2]);
  printf ("all %ld\n", clock == WALL ? now (WALL) - begin : now (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
