/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls between objects, each a known number of times: LINKED calls and is called; PLUGIN is
   loaded, used and unloaded LOADS times; libc calls back.  With an argument a forked child does it
   once more. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int linked (int n, int (*back) (int));

int __attribute__ ((noinline))
called_back (int n)
{
  return n + 1;
}

int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

static void
load_and_use (int n)
{
  void *handle = dlopen ("./plugin.so", RTLD_NOW);
  int (*plugin) (int, int (*) (int)) = (int (*) (int, int (*) (int))) dlsym (handle, "plugin");
  plugin (n, called_back);
  dlclose (handle);
}

static int
work (int loads)
{
  int numbers[2] = { 2, 1 };
  for (int i = 0; i < 7; i++)
    linked (3, called_back);
  for (int i = 0; i < loads; i++)
    load_and_use (4);
  qsort (numbers, 2, sizeof *numbers, compare);
  return numbers[0] == 1;
}

int
main (int argc, char **argv)
{
  int good = work (argc > 1 ? atoi (argv[1]) : 1);
  if (argc > 2)
    {
      pid_t child = fork ();
      if (child == 0)
        exit (!work (2));
      waitpid (child, NULL, 0);
      printf ("%d\n", (int) child);
    }
  return !good;
}
