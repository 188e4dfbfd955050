/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses a known amount of CPU time, in the way that argv[1] names, and prints what the kernel has
   charged the process, in seconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))

static double per_thread;
static int zeros;

static double
seconds (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

NOIPA static void
spin (void)
{
  for (volatile int i = 0; i < 1000000; i++)
    ;
}

/* In the kernel, mostly. */
NOIPA static void
ask (void)
{
  static __thread char buffer[1 << 16];
  for (int i = 0; i < 100; i++)
    if (read (zeros, buffer, sizeof buffer) != sizeof buffer)
      _exit (1);
}

/* Many calls: the profiler's own hooks have a share. */
NOIPA static int
leaf (int n)
{
  return n + 1;
}

NOIPA static void
call (void)
{
  for (int i = 0, n = 0; i < 200000; i++)
    n = leaf (n);
}

static void *
work (void *way)
{
  while (seconds (CLOCK_THREAD_CPUTIME_ID) < per_thread)
    {
      spin ();
      if (!strcmp (way, "system"))
        ask ();
      if (!strcmp (way, "calls"))
        call ();
    }
  return NULL;
}

/* COUNT threads work while the main one sleeps, and is not woken by anything but its own timer. */
static void
threads (int count, char *way)
{
  pthread_t thread[8];
  const struct timespec nap = { 0, 1000000 };
  for (int i = 0; i < count; i++)
    pthread_create (&thread[i], NULL, work, way);
  while (seconds (CLOCK_PROCESS_CPUTIME_ID) < count * per_thread / 2)
    if (nanosleep (&nap, NULL))
      puts ("interrupted");
  for (int i = 0; i < count; i++)
    pthread_join (thread[i], NULL);
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    return 1;
  zeros = open ("/dev/zero", O_RDONLY | O_CLOEXEC);
  per_thread = 1;
  if (!strcmp (argv[1], "sleeper"))
    threads (1, argv[1]);
  else if (!strcmp (argv[1], "threads"))
    {
      per_thread = 0.4;
      threads (4, argv[1]);
    }
  else
    work (argv[1]);
  printf ("%.6f\n", seconds (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
