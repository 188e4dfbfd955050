/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks of all kinds: deep ones, through libc and back, on the signals' alternate stack, in leaf
   functions, with and without room of their own. */
#include "clocks.h"

#include <alloca.h>
#include <signal.h>
#include <string.h>

static int numbers[4096];
static volatile unsigned long sink;

static int
compare (const void *a, const void *b)
{
  spin (3);
  return *(const int *) a - *(const int *) b;
}

__attribute__ ((noipa)) static void
sort (int n)
{
  for (int i = 0; i < n; i++)
    numbers[i] = (int) ((unsigned) i * 2654435761U);
  qsort (numbers, (size_t) n, sizeof *numbers, compare);
}

__attribute__ ((noipa)) static void
descend (int depth, long rounds)
{
  if (depth)
    descend (depth - 1, rounds);
  else
    spin (rounds);
  __asm__ volatile ("");
}

__attribute__ ((noipa)) static void
with_room (size_t n)
{
  char *room = alloca (n);
  memset (room, 1, n);
  for (size_t i = 0; i < n; i++)
    sink += (unsigned long) room[i];
}

static void
handler (int number)
{
  (void) number;
  descend (5, 200000);
  sort (500);
}

__attribute__ ((noipa)) static void
numbers_as_text (void)
{
  char text[400];
  for (int i = 0; i < 300; i++)
    {
      snprintf (text, sizeof text, "%d %.17g %s", i, i / 7., "text");
      sink += (unsigned long) strtod (text, NULL);
    }
}

int
main (int argc, char **argv)
{
  static char alternate[65536];
  const stack_t stack = { .ss_sp = alternate, .ss_size = sizeof alternate };
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
  long until = now (CLOCK_PROCESS_CPUTIME_ID) + (argc > 1 ? atol (argv[1]) : 500) * 1000000;
  sigaltstack (&stack, NULL);
  sigaction (SIGUSR1, &action, NULL);
  while (now (CLOCK_PROCESS_CPUTIME_ID) < until)
    switch (below (5))
      {
      case 0: sort (3000); break;
      case 1: descend ((int) below (100), 300000); break;
      case 2: with_room ((size_t) (1 + below (100000))); break;
      case 3: raise (SIGUSR1); break;
      default: numbers_as_text ();
      }
  return 0;
}
