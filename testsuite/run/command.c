/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process to be commanded.  Says "ready", and what it reads from stdin, which nothing may
   interrupt.  wait: 1000 calls of counted, then 10 for each line read.  burn: 4 threads call
   counted until a line is read; leave: the main thread does not wait for them.  work: again and
   again 4 threads call counted 100,000 times each, until there is a line to read; says how often in
   all.  handle, ignore, block: SIGURG is its own affair, it says "urgent" or nothing; waits for a
   line.  back: so it was, and is left to the default again. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, CALLS = 100000 };
static volatile int done;
static pthread_barrier_t barrier; /* of burn: all have counted */

__attribute__ ((noipa)) void
counted (void)
{
  __asm__ volatile ("");
}

static void *
burn (void *unused)
{
  counted ();
  pthread_barrier_wait (&barrier);
  while (!done)
    counted ();
  return unused;
}

static void *
work (void *unused)
{
  for (int i = 0; i < CALLS; i++)
    counted ();
  return unused;
}

static void
start (pthread_t *thread, void *(*function) (void *))
{
  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&thread[i], NULL, function, NULL))
      exit (3);
}

static void
join (const pthread_t *thread)
{
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
}

static void
on_signal (int number)
{
  (void) number;
  if (write (1, "urgent\n", 7) != 7)
    _exit (7);
}

/* CALLS calls for each line that is read, before it is said again.  read, not stdio: it is to fail
   if interrupted. */
static void
read_lines (int calls)
{
  char line[64];
  ssize_t n;
  while ((n = read (0, line, sizeof line)) > 0)
    {
      done = 1;
      for (int i = 0; i < calls; i++)
        counted ();
      if (write (1, line, n) != n)
        exit (4);
    }
  if (n < 0)
    exit (5);
}

int
main (int argc, char **argv)
{
  pthread_t thread[THREADS];
  const char *what = argc > 1 ? argv[1] : "wait";
  sigset_t urgent;
  sigemptyset (&urgent);
  sigaddset (&urgent, SIGURG);
  bool leave = strcmp (what, "leave") == 0;
  if (strcmp (what, "burn") == 0 || leave)
    {
      pthread_barrier_init (&barrier, NULL, THREADS + 1);
      start (thread, burn);
      pthread_barrier_wait (&barrier);
    }
  else if (strcmp (what, "handle") == 0)
    sigaction (SIGURG, &(struct sigaction) { .sa_handler = on_signal, .sa_flags = SA_RESTART },
               NULL);
  else if (strcmp (what, "back") == 0)
    {
      if (signal (SIGURG, on_signal) != SIG_DFL || signal (SIGURG, SIG_DFL) != on_signal)
        return 6;
    }
  else if (strcmp (what, "ignore") == 0)
    signal (SIGURG, SIG_IGN);
  else if (strcmp (what, "block") == 0)
    sigprocmask (SIG_BLOCK, &urgent, NULL);
  else if (strcmp (what, "wait") == 0)
    for (int i = 0; i < 1000; i++)
      counted ();
  if (write (1, "ready\n", 6) != 6)
    return 1;
  if (leave)
    pthread_exit (NULL);
  if (strcmp (what, "work") == 0)
    {
      struct pollfd in = { .fd = 0, .events = POLLIN };
      int rounds = 0;
      /* a signal that is on its way makes it fail, however short it waits */
      for (; poll (&in, 1, 0) <= 0; rounds++)
        {
          start (thread, work);
          join (thread);
        }
      printf ("%d\n", rounds * THREADS * CALLS);
    }
  else
    read_lines (strcmp (what, "wait") == 0 ? 10 : 0);
  if (strcmp (what, "burn") == 0)
    join (thread);
  return 0;
}
