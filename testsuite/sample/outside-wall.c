/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is sampled from outside by wall time: one thread sleeps from before that on; the
   first one works, sleeps and polls, and says how long. */
#include "clocks.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static long took[3];

__attribute__ ((noipa)) static void *
waits (void *unused)
{
  pause ();
  return unused;
}

__attribute__ ((noipa)) static void
works (long nanoseconds)
{
  const long begun = now (WALL);
  while (now (WALL) - begun < nanoseconds)
    spin (10000);
  took[0] += now (WALL) - begun;
}

__attribute__ ((noipa)) static void
sleeps (long nanoseconds)
{
  const long begun = now (WALL);
  nanosleep (&(struct timespec) { .tv_nsec = nanoseconds }, NULL);
  took[1] += now (WALL) - begun;
}

__attribute__ ((noipa)) static void
polls (int milliseconds)
{
  const long begun = now (WALL);
  poll (NULL, 0, milliseconds);
  took[2] += now (WALL) - begun;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  char byte;
  (void) argc;
  if (pthread_create (&thread, NULL, waits, NULL) != 0)
    return 1;
  puts ("ready");
  fflush (stdout);
  if (read (STDIN_FILENO, &byte, 1) != 1)
    return 1;
  for (const long until = now (WALL) + atol (argv[1]) * 1000000; now (WALL) < until;)
    {
      works (2000000 + below (4000000));
      sleeps (5000000 + below (10000000));
      polls (5 + (int) below (5));
    }
  printf ("works %ld\nsleeps %ld\npolls %ld\n", took[0], took[1], took[2]);
  return 7;
}
