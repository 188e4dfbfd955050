/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time that passes in a linked library, in one that is loaded, in one of two that are loaded at the
   same address in turn, in libc. */
#include "clocks.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

void linked_hot (long rounds);

static char text[1 << 20];
static int numbers[1 << 12];
static int compared;

__attribute__ ((noipa)) static void
in_memchr (long rounds)
{
  void *(*volatile find) (const void *, int, size_t) = memchr;
  for (; rounds > 0; rounds -= (long) sizeof text / 16)
    find (text, 'x', sizeof text);
}

static int
compare (const void *a, const void *b)
{
  compared++;
  return *(const int *) a - *(const int *) b;
}

__attribute__ ((noipa)) static void
in_qsort (long rounds)
{
  for (; rounds > 0; rounds -= 1 << 18)
    {
      for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        numbers[i] = (int) (i * 2654435761U);
      qsort (numbers, sizeof numbers / sizeof *numbers, sizeof *numbers, compare);
    }
}

static void *handle;

static void (*load (const char *file, const char *function)) (long)
{
  handle = dlopen (file, RTLD_NOW);
  void (*found) (long) = handle ? (void (*) (long)) dlsym (handle, function) : NULL;
  if (!found)
    {
      fprintf (stderr, "where: %s\n", dlerror ());
      exit (3);
    }
  return found;
}

/* Loads the two in turn; at how many different addresses their functions were. */
static int
take_turns (long *one, long *two, long until)
{
  uintptr_t place = 0;
  int places = 0;
  for (int i = 0; now (CPU) < until; i++)
    {
      void (*hot) (long) = i % 2 ? load ("./libtwo.so", "two_hot")
                                 : load ("./libone.so", "one_hot");
      places += place != (uintptr_t) hot;
      place = (uintptr_t) hot;
      TIMED (CPU, *(i % 2 ? two : one), hot (20000000));
      dlclose (handle);
    }
  return places;
}

int
main (int argc, char **argv)
{
  long took[6] = { 0 }, ms = argc > 1 ? atol (argv[1]) : 200;
  void (*const loaded) (long) = load ("./libloaded.so", "loaded_hot");
  void (*const hot[]) (long) = { linked_hot, loaded, in_memchr, in_qsort };
  while (now (CPU) < 4 * ms * 1000000)
    {
      long which = below (4);
      TIMED (CPU, took[which], hot[which] (1000 + below (2000000)));
    }
  int places = take_turns (&took[4], &took[5], 6 * ms * 1000000);
  fprintf (stderr, "%d places\n", places);
  printf ("linked_hot %ld\nloaded_hot %ld\nin_memchr %ld\nin_qsort %ld\none_hot %ld\ntwo_hot %ld\n",
          took[0], took[1], took[2], took[3], took[4], took[5]);
  printf ("all %ld\n", now (CLOCK_PROCESS_CPUTIME_ID));
  return compared == 0;
}
