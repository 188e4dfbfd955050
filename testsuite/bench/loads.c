/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads FOLDER N RUNS: in a process that has loaded N libraries of FOLDER, lib1.so and so on,
   loads and unloads lib0.so RUNS times.  Prints the nanoseconds of CPU time of each time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *
load (const char *folder, int number)
{
  char name[4096];
  snprintf (name, sizeof name, "%s/lib%d.so", folder, number);
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (library)
    return library;
  fprintf (stderr, "%s\n", dlerror ());
  exit (1);
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  const char *folder = argv[1];
  for (int i = 1; i <= atoi (argv[2]); i++)
    load (folder, i);
  for (int i = 0; i < atoi (argv[3]); i++)
    {
      long begin = now ();
      dlclose (load (folder, 0));
      printf ("%ld\n", now () - begin);
    }
  return 0;
}
