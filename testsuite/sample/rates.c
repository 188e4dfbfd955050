/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for perf.test and ticker.test, which say what it does.

     rates spin MILLISECONDS THREADS    each uses that much CPU time, the main one too; prints what
                                        all have used
     rates read MILLISECONDS            of CPU time, all of it in whole reads of a megabyte; prints
                                        how many came short
     rates sleep MILLISECONDS THREADS   each sleeps once, the main one waits; prints how often they
                                        slept, and failures
     rates write N                      megabytes into a pipe that is emptied slowly; prints how
                                        many came short
     rates storm N                      threads that live for no time
     rates close MILLISECONDS           closes all descriptors but those of messages, then spins
     rates fork MILLISECONDS            a child spins; then this one  */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long milliseconds, switches, failures;

static long
used (clockid_t clock)
{
  struct timespec time;
  clock_gettime (clock, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *
spin (void *unused)
{
  long stop = used (CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1000000;
  volatile long sum = 0;
  while (used (CLOCK_THREAD_CPUTIME_ID) < stop)
    for (int i = 0; i < 100000; i++)
      sum += i;
  return unused;
}

static void
read_much (void)
{
  static char buffer[1 << 20];
  int zeros = open ("/dev/zero", O_RDONLY);
  long stop = used (CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1000000;
  while (used (CLOCK_THREAD_CPUTIME_ID) < stop)
    failures += read (zeros, buffer, sizeof buffer) != sizeof buffer;
  printf ("short %ld\n", failures);
}

static int ends[2];

static void *
empty (void *unused)
{
  static char buffer[60000];
  const struct timespec time = { 0, 1000000 };
  while (read (ends[0], buffer, sizeof buffer) > 0)
    nanosleep (&time, NULL);
  return unused;
}

static void
write_much (long n)
{
  static char buffer[1 << 20];
  pthread_t thread;
  failures += pipe (ends) != 0 || pthread_create (&thread, NULL, empty, NULL) != 0;
  for (long i = 0; i < n; i++)
    failures += write (ends[1], buffer, sizeof buffer) != sizeof buffer;
  close (ends[1]);
  pthread_join (thread, NULL);
  printf ("short %ld\n", failures);
}

static void *
sleep_once (void *unused)
{
  struct timespec time = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
  struct rusage before, after;
  getrusage (RUSAGE_THREAD, &before);
  int error = clock_nanosleep (CLOCK_MONOTONIC, 0, &time, NULL);
  getrusage (RUSAGE_THREAD, &after);
  __atomic_fetch_add (&failures, error != 0, __ATOMIC_RELAXED);
  __atomic_fetch_add (&switches, after.ru_nvcsw - before.ru_nvcsw, __ATOMIC_RELAXED);
  return unused;
}

static void *
nothing (void *unused)
{
  return unused;
}

static void
with_threads (void *(*function) (void *), int n)
{
  pthread_t thread[n + 1];
  for (int i = 0; i < n; i++)
    failures += pthread_create (&thread[i], NULL, function, NULL) != 0;
  if (function == spin)
    spin (NULL);
  for (int i = 0; i < n; i++)
    pthread_join (thread[i], NULL);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 2 ? argv[1] : "";
  int n = argc > 3 ? atoi (argv[3]) : 0;
  milliseconds = argc > 2 ? atol (argv[2]) : 0;
  if (!strcmp (what, "spin"))
    with_threads (spin, n);
  else if (!strcmp (what, "read"))
    read_much ();
  else if (!strcmp (what, "write"))
    write_much (milliseconds);
  else if (!strcmp (what, "sleep"))
    with_threads (sleep_once, n);
  else if (!strcmp (what, "storm"))
    for (int i = 0; i < milliseconds; i++)
      with_threads (nothing, 4);
  else if (!strcmp (what, "close"))
    {
      for (int fd = 3; fd < 4096; fd++)
        close (fd);
      failures = open ("/dev/null", O_RDONLY) != 3;
      spin (NULL);
    }
  else if (!strcmp (what, "fork") && fork () == 0)
    {
      spin (NULL);
      return 0;
    }
  else if (!strcmp (what, "fork"))
    {
      wait (NULL);
      spin (NULL);
    }
  printf ("%ld cpu, %ld switches, %ld failures\n", used (CLOCK_PROCESS_CPUTIME_ID), switches,
          failures);
  return failures != 0;
}
