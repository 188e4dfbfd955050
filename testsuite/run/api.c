/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof.h as a program uses it: each function's calls, and runs of its loop's block (as many), are
   known.  Threads meet at barriers, so that they fetch no pointer between a stop and what comes
   after it. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bbprof.h"

/* Two blocks for each call: the function's first, and what the condition leads to. */
#define FUNCTION(name)                                         \
  __attribute__ ((noipa)) void name (int);                     \
  void name (int n) { if (n >= 0) __asm__ volatile ("nop"); }
FUNCTION (counted)
FUNCTION (stopped)
FUNCTION (thread_stopped)
FUNCTION (before_reset)
FUNCTION (inside)
FUNCTION (outside)
FUNCTION (in_child)
FUNCTION (late)

static void
times (void (*f) (int), int n)
{
  for (int i = 0; i < n; i++)
    f (i);
}

enum { THREADS = 4 };
static pthread_barrier_t barrier;

static void *
work (void *born_stopped)
{
  if (!born_stopped)
    times (counted, 100);
  pthread_barrier_wait (&barrier); /* the main thread stops now */
  pthread_barrier_wait (&barrier);
  times (stopped, 1000);
  pthread_barrier_wait (&barrier); /* and starts */
  pthread_barrier_wait (&barrier);
  times (counted, 100);
  int before = bbprof_thread (0);
  times (thread_stopped, 10);
  int between = bbprof_thread (0);
  times (thread_stopped, 10);
  int after = bbprof_thread (1);
  times (counted, 100);
  return (void *) (long) (before != 1 || between != 0 || after != 0);
}

static int
threads (void)
{
  pthread_t thread[2 * THREADS];
  pthread_barrier_init (&barrier, NULL, 2 * THREADS + 1);
  long wrong = 0;
  for (int i = 0; i < THREADS; i++)
    wrong |= pthread_create (&thread[i], NULL, work, NULL);
  usleep (10000);
  bbprof_stop (); /* some are born while stopped, and some stop twice */
  for (int i = THREADS; i < 2 * THREADS; i++)
    wrong |= pthread_create (&thread[i], NULL, work, &thread);
  times (stopped, 5);
  bbprof_start ();
  pthread_barrier_wait (&barrier);
  bbprof_stop ();
  pthread_barrier_wait (&barrier);
  times (stopped, 1000);
  pthread_barrier_wait (&barrier);
  bbprof_start ();
  pthread_barrier_wait (&barrier);
  for (int i = 0; i < 2 * THREADS; i++)
    {
      void *result = &barrier;
      wrong |= pthread_join (thread[i], &result);
      wrong |= (long) result;
    }
  return wrong != 0;
}

/* The child counts as its parent did when it forked: not at all, until it starts. */
static int
forked (void)
{
  int status;
  bbprof_stop ();
  pid_t child = fork ();
  if (child == 0)
    {
      times (stopped, 3);
      bbprof_start ();
      times (in_child, 4);
      exit (0);
    }
  times (stopped, 3);
  bbprof_start ();
  times (counted, 1);
  return waitpid (child, &status, 0) != child || status;
}

static int
reset (void)
{
  times (before_reset, 9);
  if (bbprof_reset ())
    return 1;
  times (counted, 2);
  errno = 77;
  if (bbprof_dump () || errno != 77)
    return 1;
  times (late, 6);
  return rename ("gmon.out", "first.out");
}

static void
scope (int depth)
{
  BBPROF_SCOPE ();
  times (inside, 5);
  if (depth)
    scope (depth - 1);
  times (inside, 5);
}

static void *
scopes (void *unused)
{
  times (outside, 3);
  scope (2);
  times (outside, 4);
  return unused;
}

static int
in_scopes (void)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, scopes, NULL) || pthread_join (thread, NULL))
    return 1;
  scopes (NULL);
  return 0;
}

static long
to_file (void *file, const void *bytes, size_t n)
{
  times (late, 1); /* it may be profiled code, and call what it likes */
  return bbprof_thread (1) == 1 ? (long) fwrite (bytes, 1, n, file) : -1;
}

static long
too_little (void *calls, const void *bytes, size_t n)
{
  ++*(int *) calls;
  return bytes ? (long) n - 1 : 0;
}

static int
write_it (void)
{
  int calls = 0;
  times (counted, 8);
  FILE *file = fopen ("first.out", "wb");
  if (bbprof_write (to_file, file) || fclose (file))
    return 1;
  return bbprof_write (too_little, &calls) != -EIO || calls != 1;
}

static int
after_the_end (void)
{
  int calls = 0;
  _mcleanup ();
  bbprof_start ();
  times (stopped, 3);
  return bbprof_dump () != -EINVAL || bbprof_write (too_little, &calls) != -EINVAL || calls;
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; int (*run) (void);
  } parts[] = {
    { "threads", threads }, { "fork", forked },    { "reset", reset },
    { "scope", in_scopes }, { "write", write_it }, { "end", after_the_end },
  };
  for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof *parts; i++)
    if (strcmp (argv[1], parts[i].name) == 0)
      return parts[i].run ();
  return 2;
}
