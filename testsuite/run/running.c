/* SPDX-License-Identifier: GPL-3.0-or-later */
/* THREADS threads run through code with branches, and never end, while the main thread
     exit    ends the process
     dump    writes the profile again and again, TIMES times
     reset   resets TIMES times
     stop    stops and starts TIMES times
     own     is like dump, but SIGPROF is the program's own: `not mine' on stderr if one comes
   Others sleep meanwhile, in all the ways that a signal would cut short: `cut short' on stderr if
   one is. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bbprof.h"
#include "diamond.h"

static int running;
static unsigned long rounds; /* of all threads */

static void *
run (void *unused)
{
  __atomic_fetch_add (&running, 1, __ATOMIC_RELAXED);
  for (unsigned n = 0;; n++)
    {
      diamond (n);
      plain (n);
      __atomic_fetch_add (&rounds, 1, __ATOMIC_RELAXED);
    }
  return unused;
}

/* Calls that sleep for ever, each in a thread of its own. */
static int
in_poll (void)
{
  return poll (NULL, 0, -1);
}

static int
in_nanosleep (void)
{
  const struct timespec long_time = { 1000, 0 };
  return nanosleep (&long_time, NULL);
}

static int
in_futex (void)
{
  const struct timespec long_time = { 1000, 0 };
  static int word;
  return (int) syscall (SYS_futex, &word, FUTEX_WAIT, 0, &long_time);
}

static int
in_read (void)
{
  int ends[2];
  char byte;
  return pipe (ends) ? -1 : (int) read (ends[0], &byte, 1);
}

static int (*const sleeps[]) (void) = { in_poll, in_nanosleep, in_futex, in_read };
enum { SLEEPERS = sizeof sleeps / sizeof *sleeps };

static void *
sleep_in (void *which)
{
  __atomic_fetch_add (&running, 1, __ATOMIC_RELAXED);
  (*(int (*const *) (void)) which) ();
  fprintf (stderr, "cut short: %s\n", strerror (errno));
  return NULL;
}

static void
on_sigprof (int number)
{
  (void) number;
  if (write (2, "not mine\n", 9) != 9)
    _exit (1);
}

static int
begin (void *(*function) (void *), const void *argument)
{
  pthread_t thread;
  return pthread_create (&thread, NULL, function, (void *) argument);
}

int
main (int argc, char **argv)
{
  int threads = argc > 2 ? atoi (argv[2]) : 0, times = argc > 3 ? atoi (argv[3]) : 0,
      wrong = argc < 2;
  if (argc > 1 && !strcmp (argv[1], "own"))
    signal (SIGPROF, on_sigprof);
  for (int i = 0; i < threads; i++)
    wrong |= begin (run, NULL);
  for (int i = 0; i < SLEEPERS; i++)
    wrong |= begin (sleep_in, &sleeps[i]);
  while (__atomic_load_n (&running, __ATOMIC_RELAXED) < threads + SLEEPERS)
    usleep (1000);
  usleep (20000); /* all that are to sleep do */
  for (int i = 0; i < times && !wrong; i++)
    if (!strcmp (argv[1], "dump") || !strcmp (argv[1], "own"))
      wrong = bbprof_dump ();
    else if (!strcmp (argv[1], "reset"))
      wrong = bbprof_reset ();
    else
      {
        bbprof_stop ();
        bbprof_start ();
      }
  unsigned long before = __atomic_load_n (&rounds, __ATOMIC_RELAXED);
  while (__atomic_load_n (&rounds, __ATOMIC_RELAXED) < before + 10000)
    usleep (1000); /* there is something to be written */
  return wrong;
}
