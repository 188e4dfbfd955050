/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses the profiling signal for itself, in the way that argv[1] says, for 0.3 seconds of CPU time,
   and prints how often it came; then burns 0.1 seconds. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int came;

static void
on_signal (int number)
{
  (void) number;
  came++;
}

__attribute__ ((noipa)) static void
burn (double seconds)
{
  clock_t end = clock () + (clock_t) (seconds * CLOCKS_PER_SEC);
  while (clock () < end)
    for (volatile int i = 0; i < 100000; i++)
      ;
}

static void
set_timer (long interval_us)
{
  struct itimerval value = { { 0, interval_us }, { 0, interval_us } }, old;
  setitimer (ITIMER_PROF, &value, &old);
  printf ("timer before: %ld\n", (long) old.it_interval.tv_usec);
}

static pthread_barrier_t blocked;

static void
block_all (void)
{
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
}

static void *
block_and_sleep (void *unused)
{
  block_all ();
  pthread_barrier_wait (&blocked);
  for (;;)
    pause ();
  return unused;
}

/* All threads block it; it stays pending until a thread waits for it. */
static void
wait_for_it (void)
{
  pthread_t thread;
  sigset_t set;
  siginfo_t info;
  const struct timespec pause = { 0, 100000000 }, limit = { 5, 0 };
  pthread_barrier_init (&blocked, NULL, 2);
  pthread_create (&thread, NULL, block_and_sleep, NULL);
  block_all ();
  pthread_barrier_wait (&blocked);
  kill (getpid (), SIGPROF);
  nanosleep (&pause, NULL);
  sigemptyset (&set);
  sigaddset (&set, SIGPROF);
  int number = sigtimedwait (&set, &info, &limit);
  printf ("came: %d, from me: %d\n", number, info.si_pid == getpid ());
}

int
main (int argc, char **argv)
{
  setvbuf (stdout, NULL, _IONBF, 0);
  if (argc != 2)
    return 2;
  if (!strcmp (argv[1], "signal")) /* no tick of the profiler's among them */
    {
      signal (SIGPROF, on_signal);
      raise (SIGPROF);
      burn (0.3);
      raise (SIGPROF);
      printf ("came: %d\n", came);
      signal (SIGPROF, SIG_DFL);
    }
  else if (!strcmp (argv[1], "ignored"))
    {
      signal (SIGPROF, SIG_IGN);
      burn (0.3);
      raise (SIGPROF);
      signal (SIGPROF, SIG_DFL);
    }
  else if (!strcmp (argv[1], "timer"))
    {
      signal (SIGPROF, on_signal);
      set_timer (10000);
      burn (0.3);
      set_timer (0);
      printf ("came: %d\n", came >= 15 && came <= 45);
      signal (SIGPROF, SIG_DFL);
    }
  else if (!strcmp (argv[1], "wait"))
    wait_for_it ();
  else if (!strcmp (argv[1], "end")) /* which is what the timer does without a handler */
    set_timer (10000);
  burn (0.1);
  return 0;
}
