/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads ROUNDS [WORDS]: in each round loads one.dll and two.dll in turn, in which first () and
   second () work, second () for three times as long; unloads each.  Prints WORDS, then the share of
   the time in both that passed in second (), by the clock. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static long long
now (void)
{
  LARGE_INTEGER count;
  QueryPerformanceCounter (&count);
  return count.QuadPart;
}

/* Returns how long the function worked. */
static long long
use (const char *library, const char *function, long units)
{
  HMODULE module = LoadLibraryA (library);
  void (*work) (long) = (void (*) (long)) (void (*) (void)) GetProcAddress (module, function);
  const long long begin = now ();
  work (units);
  const long long end = now ();
  FreeLibrary (module);
  return end - begin;
}

int
main (int argc, char **argv)
{
  long long in_first = 0, in_second = 0;
  for (long i = argc > 1 ? atol (argv[1]) : 10; i; i--)
    {
      in_first += use ("one.dll", "first", 10000);
      in_second += use ("two.dll", "second", 30000);
    }
  printf ("%s\n", argc > 2 ? argv[2] : "no argument");
  printf ("%.3f\n", (double) in_second / (double) (in_first + in_second));
  return 77;
}
