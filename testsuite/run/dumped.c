/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dumped reset|no: counts in threads, in callbacks of the C library, in a library that is linked
   and in two that it loads and unloads (one.so, two.so); then writes its own profile, and kills
   itself.  With "reset" it begins again in between. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <bbprof.h>

extern void write_profiling (void);
int linked (int x);

__attribute__ ((noipa)) int
own (int x)
{
  return x & 1 ? linked (x) : linked (x + 1);
}

static int
compare (const void *a, const void *b)
{
  return own (*(const int *) a) - own (*(const int *) b);
}

static void
load (const char *name, int n)
{
  void *library = dlopen (name, RTLD_NOW);
  int (*g) (int) = (int (*) (int)) dlsym (library, "g");
  while (n--)
    g (n);
  dlclose (library);
}

static void *
work (void *unused)
{
  for (int i = 0; i < 1000; i++)
    own (i);
  return unused;
}

int
main (int argc, char **argv)
{
  int numbers[] = { 3, 1, 2, 5, 4 };
  pthread_t thread;
  for (int i = 0; i < 10; i++)
    {
      load ("./one.so", 10);
      load ("./two.so", 7);
    }
  own (1);
  if (argc > 1 && argv[1][0] == 'r')
    bbprof_reset ();
  qsort (numbers, 5, sizeof *numbers, compare);
  load ("./one.so", 3);
  for (int i = 0; i < 5; i++)
    {
      pthread_create (&thread, NULL, work, NULL);
      pthread_join (thread, NULL);
    }
  for (volatile long i = 0; i < 100000000; i++)
    ;
  bbprof_stop ();
  write_profiling ();
  kill (getpid (), SIGKILL);
}
