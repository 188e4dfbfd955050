/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads ROUNDS: in each round loads one.dll and two.dll in turn, in which first () and second ()
   work, second () for three times as long; unloads each. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static void
use (const char *library, const char *function, long units)
{
  HMODULE module = LoadLibraryA (library);
  void (*work) (long) = (void (*) (long)) (void (*) (void)) GetProcAddress (module, function);
  work (units);
  FreeLibrary (module);
}

int
main (int argc, char **argv)
{
  for (long i = argc > 1 ? atol (argv[1]) : 10; i; i--)
    {
      use ("one.dll", "first", 10000);
      use ("two.dll", "second", 30000);
    }
  printf ("%s\n", argc > 2 ? argv[2] : "no argument");
  return 77;
}
