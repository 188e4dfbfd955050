/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of entry.test.  With -DLIBRARY: a library, whose f calls g.  Else: four threads call
   f 1000 times each; with an argument, f is that of the library, loaded, used and closed twice. */
#ifdef LIBRARY
static __attribute__ ((noipa)) long
g (long n)
{
  return n + 1;
}

__attribute__ ((noipa)) long
f (long n)
{
  return n % 2 ? g (n) : n;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

long f (long) __attribute__ ((weak));

static void *
run (void *function)
{
  for (long i = 0; i < 1000; i++)
    (*(long (**) (long)) function) (i);
  return NULL;
}

static void
run_threads (long (*function) (long))
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, run, &function))
      exit (99);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
}

static void
use_library (const char *name)
{
  void *library = dlopen (name, RTLD_NOW);
  if (!library)
    exit (98);
  run_threads ((long (*) (long)) dlsym (library, "f"));
  dlclose (library);
}

int
main (int argc, char **argv)
{
  if (argc == 1)
    run_threads (f);
  for (int i = 1; i < argc; i++)
    use_library (argv[i]);
  return 0;
}
#endif
