/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is ticked at known places, so many times as it says: see trees.test. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define BBPROF_OPTIONAL
#include "bbprof.h"
#include "tick.h"

#define PLACE(name)                    \
  static __attribute__ ((noipa)) int   \
  name (int n)                         \
  {                                    \
    tick (n);                          \
    return n + 1;                      \
  }
PLACE (before)
PLACE (after)
PLACE (in_child)
PLACE (in_thread)
PLACE (in_handler)

static void
on_signal (int number)
{
  (void) number;
  in_handler (4);
}

/* Two libraries, loaded by turns; how often one came where the other had been. */
static __attribute__ ((noipa)) void
take_turns (void)
{
  uintptr_t place = 0;
  int same = 0;
  for (int i = 0; i < 20; i++)
    {
      void *library = dlopen (i % 2 ? "./second.so" : "./first.so", RTLD_NOW);
      int (*call) (int) = library ? (int (*) (int)) dlsym (library, "call") : NULL;
      if (!call)
        exit (99);
      call (i % 2 ? 3 : 5);
      same += (uintptr_t) call == place;
      place = (uintptr_t) call;
      dlclose (library);
    }
  printf ("%d\n", same);
}

static __attribute__ ((noipa)) void *
run (void *ticks)
{
  in_thread ((int) (intptr_t) ticks);
  return NULL;
}

static __attribute__ ((noipa)) void
start_threads (void)
{
  pthread_t thread[4];
  for (intptr_t i = 0; i < 4; i++)
    pthread_create (&thread[i], NULL, run, (void *) (i + 1));
  for (int i = 0; i < 4; i++)
    pthread_join (thread[i], NULL);
}

static __attribute__ ((noipa)) void
make_child (void)
{
  pid_t child = fork ();
  if (child == 0)
    exit (in_child (3) != 4);
  int status = 1;
  waitpid (child, &status, 0);
  printf ("%d %d\n", (int) getpid (), (int) child);
  if (status)
    exit (99);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  bool stop = strcmp (what, "stop") == 0;
  if (stop)
    bbprof_stop ();
  before (7);
  if (stop)
    bbprof_start ();
  if (strcmp (what, "turns") == 0)
    take_turns ();
  if (strcmp (what, "threads") == 0)
    start_threads ();
  if (strcmp (what, "fork") == 0)
    make_child ();
  if (strcmp (what, "signal") == 0)
    {
      signal (SIGUSR1, on_signal);
      raise (SIGUSR1);
    }
  if (strcmp (what, "reset") == 0)
    bbprof_reset ();
  after (2);
  if (strcmp (what, "kill") == 0)
    raise (SIGKILL);
  return 0;
}
