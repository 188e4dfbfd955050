/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main -> both -> hot and cold, ROUNDS times; hot does ten times as much as cold, 10 ms in a
   round on a fast machine.  Ends with status 3 if ROUNDS is 3, else with 0.  With a second argument
   it prints its pid first. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define UNIT 400000

static volatile unsigned long work;

__attribute__ ((noinline)) void
cold (void)
{
  for (long i = 0; i < UNIT; i++)
    work += (unsigned long) i;
}

__attribute__ ((noinline)) void
hot (void)
{
  for (long i = 0; i < 10 * UNIT; i++)
    work += (unsigned long) i;
}

__attribute__ ((noinline)) void
both (void)
{
  hot ();
  cold ();
}

int
main (int argc, char **argv)
{
  long rounds = argc > 1 ? atol (argv[1]) : 100;
  if (argc > 2)
    printf ("%d\n", (int) getpid ());
  fflush (stdout);
  for (long i = 0; i < rounds; i++)
    both ();
  printf ("done\n");
  return rounds == 3 ? 3 : 0;
}
