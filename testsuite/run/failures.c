/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A little of all that makes the library ask the system for something: threads, tables that grow, a
   loaded library, a forked child.  Prints what it did, ends with 42; its child ends with 3.  Known
   by construction, in the parent and in the child: calls of f, runs of its two branches. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__ ((noipa)) static void
even (void)
{
  __asm__ volatile ("");
}

__attribute__ ((noipa)) static void
odd (void)
{
  __asm__ volatile ("");
}

__attribute__ ((noipa)) static void
f (int x)
{
  if (x & 1)
    odd ();
  else
    even ();
}

/* 1,000 places that call f: more than a thread's first table takes. */
#define TEN f (0), f (1), f (2), f (3), f (4), f (5), f (6), f (7), f (8), f (9)
#define HUNDRED TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN

__attribute__ ((noipa)) static void
call_from_everywhere (void)
{
  HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED;
}

static void *
work (void *unused)
{
  for (int i = 0; i < 5; i++)
    call_from_everywhere ();
  return unused;
}

static int
use_library (void)
{
  void *library = dlopen ("./library.so", RTLD_NOW);
  int (*twice) (int) = library ? (int (*) (int)) dlsym (library, "twice") : NULL;
  int result = twice ? twice (21) : -1;
  if (library)
    dlclose (library);
  return result;
}

int
main (void)
{
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  printf ("library: %d\n", use_library ());
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  call_from_everywhere ();
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      for (int i = 0; i < 7; i++)
        f (i);
      return 3;
    }
  int status;
  waitpid (child, &status, 0);
  printf ("child: %d\n", WEXITSTATUS (status));
  return 42;
}
