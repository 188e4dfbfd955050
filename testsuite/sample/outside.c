/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is sampled from outside: it waits for a byte, then works for as many milliseconds
   as its argument says (0: until the end of its input), in two threads, of which the second begins
   only then.  It says by its threads' clocks how long it has done what.  Its second argument is the
   depth of its stack. */
#include "clocks.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static long limit, took[3];
static int zero;

#define WORK(name, index, microseconds)             \
  __attribute__ ((noipa)) static void name (void)   \
  {                                                 \
    const long begun = now (CPU);                   \
    while (now (CPU) - begun < microseconds * 1000) \
      spin (1000);                                  \
    took[index] += now (CPU) - begun;               \
  }
WORK (one, 0, 300)
WORK (three, 1, 900)

__attribute__ ((noipa)) static void
dive (int depth)
{
  if (depth > 0)
    dive (depth - 1);
  else
    {
      one ();
      three ();
    }
  __asm__ volatile ("");
}

/* Most of its time is the kernel's. */
__attribute__ ((noipa)) static void
reads (void)
{
  static char buffer[1 << 20];
  const long begun = now (CPU);
  if (read (zero, buffer, sizeof buffer) != sizeof buffer)
    abort ();
  took[2] += now (CPU) - begun;
}

static int
goes_on (void)
{
  return limit ? now (CPU) < limit : poll (&(struct pollfd) { .fd = STDIN_FILENO }, 1, 0) == 0;
}

static void *
later (void *unused)
{
  while (goes_on ())
    reads ();
  return unused;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  char byte;
  limit = atol (argv[1]) * 1000000;
  zero = open ("/dev/zero", O_RDONLY);
  puts ("ready");
  fflush (stdout);
  if (read (STDIN_FILENO, &byte, 1) != 1
      || pthread_create (&thread, NULL, later, NULL) != 0)
    return 1;
  while (goes_on ())
    dive (argc > 2 ? atoi (argv[2]) : 30);
  pthread_join (thread, NULL);
  printf ("one %ld\nthree %ld\nreads %ld\n", took[0], took[1], took[2]);
  return 7;
}
