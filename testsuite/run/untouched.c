/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a program can see of itself and a profiler must not change: descriptors, signals,
   errno, environment, threads, timers. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static int entry_errno;

__attribute__ ((noinline)) static void
called (int depth)
{
  if (depth)
    called (depth - 1);
  entry_errno += errno == 77;
}

static void
count_folder (const char *path)
{
  int n = 0;
  DIR *folder = opendir (path);
  while (folder && readdir (folder))
    n++;
  closedir (folder);
  printf ("%s: %d\n", path, n);
}

static void
show_signals (void)
{
  sigset_t mask;
  sigprocmask (SIG_BLOCK, NULL, &mask);
  for (int i = 1; i < 32; i++)
    {
      struct sigaction action;
      if (sigaction (i, NULL, &action) == 0)
        printf ("%d: %d %d %d\n", i, action.sa_handler == SIG_DFL, action.sa_handler == SIG_IGN,
                sigismember (&mask, i));
    }
}

static void *
thread (void *argument)
{
  errno = 77;
  called (9);
  return argument;
}

int
main (void)
{
  errno = 77;
  called (99);
  pthread_t other;
  pthread_create (&other, NULL, thread, NULL);
  pthread_join (other, NULL);
  errno = 0;
  printf ("errno kept: %d\n", entry_errno);
  count_folder ("/proc/self/fd");
  count_folder ("/proc/self/task");
  show_signals ();
  struct itimerval real, virtual, profiling;
  getitimer (ITIMER_REAL, &real);
  getitimer (ITIMER_VIRTUAL, &virtual);
  getitimer (ITIMER_PROF, &profiling);
  printf ("timers: %ld %ld %ld %ld\n", (long) real.it_value.tv_usec,
          (long) virtual.it_value.tv_usec, (long) profiling.it_value.tv_usec,
          (long) profiling.it_interval.tv_usec);
  int n = 0;
  for (char **e = environ; *e; e++)
    n++;
  printf ("environment: %d\nnext descriptor: %d\n", n, dup (0));
  fflush (stdout);
  raise (SIGTERM);
  return 1;
}
