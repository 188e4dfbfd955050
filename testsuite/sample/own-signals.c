/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses by itself what samplers use: SIGPROF and setitimer, SIGALRM, a timer of its own on the very
   signal that the ticks come by (the argument), and waits for all signals at once.  Everything must
   come as it does without a profiler, and nothing else. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int bad, number;
static volatile sig_atomic_t profs, alarms, owns, strangers;
static volatile long x;
static int mark;

static void
expect (const char *what, long is, long should)
{
  if (is != should)
    {
      printf ("%s: %ld instead of %ld\n", what, is, should);
      bad = 1;
    }
}

static void
on_prof (int n)
{
  (void) n;
  profs++;
}

static void
on_alarm (int n)
{
  (void) n;
  alarms++;
}

static void
on_own (int n, siginfo_t *info, void *context)
{
  (void) context;
  bool mine = n == number && ((info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark)
                              || (info->si_code == SI_QUEUE && info->si_value.sival_int == 77));
  if (mine)
    owns++;
  else
    strangers++;
}

static double
seconds (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static double
cpu_time (void)
{
  return seconds (CLOCK_PROCESS_CPUTIME_ID);
}

static __attribute__ ((noinline)) void
burn (double seconds)
{
  double until = cpu_time () + seconds;
  while (cpu_time () < until)
    x++;
}

/* The program sees no handler before it. */
static void
take_signals (void)
{
  struct sigaction action = { .sa_handler = on_prof }, old;
  sigaction (SIGPROF, &action, &old);
  expect ("SIGPROF was the default's", old.sa_handler == SIG_DFL, 1);
  signal (SIGALRM, on_alarm);
  action.sa_sigaction = on_own;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction (number, &action, &old);
  expect ("the signal was the default's", old.sa_handler == SIG_DFL, 1);
  sigaction (number, NULL, &old);
  expect ("the signal is ours", old.sa_sigaction == on_own, 1);
}

static void
use_timers (void)
{
  struct itimerval each = { { 0, 10000 }, { 0, 10000 } }, none = { { 0, 0 }, { 0, 0 } }, seen;
  getitimer (ITIMER_PROF, &seen);
  expect ("nobody's timer", seen.it_interval.tv_usec, 0);
  /* It comes by the kernel's own ticks, of which a busy machine has few for us; but never more
     often than this. */
  double began = seconds (CLOCK_MONOTONIC), until = cpu_time () + 20;
  setitimer (ITIMER_PROF, &each, NULL);
  do
    burn (0.3);
  while (profs < 5 && cpu_time () < until);
  setitimer (ITIMER_PROF, &none, &seen);
  expect ("the timer", seen.it_interval.tv_usec / 2000, 5);
  if (profs < 5 || profs > 2 + (seconds (CLOCK_MONOTONIC) - began) / 0.01)
    expect ("SIGPROF comes", profs, 30);
  setitimer (ITIMER_REAL, &each, NULL);
  while (alarms < 5)
    pause ();
  setitimer (ITIMER_REAL, &none, NULL);
}

static void
use_own_signal (void)
{
  struct sigevent event
      = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number, .sigev_value.sival_ptr = &mark };
  struct itimerspec once = { { 0, 0 }, { 0, 5000000 } };
  timer_t timer;
  expect ("timer_create", timer_create (CLOCK_MONOTONIC, &event, &timer), 0);
  for (int i = 1; i <= 20; i++)
    {
      timer_settime (timer, 0, &once, NULL);
      while (owns < i)
        burn (0.001);
    }
  timer_delete (timer);
  for (int i = 0; i < 20; i++)
    sigqueue (getpid (), number, (union sigval) { .sival_int = 77 });
  expect ("signals of our own", owns, 40);
  expect ("signals of others", strangers, 0);
}

/* A thread that waits for all signals, as servers have one; gets what is sent, and nothing else. */
static void *
wait_for_all (void *by_descriptor)
{
  sigset_t all;
  siginfo_t info;
  struct signalfd_siginfo read_info;
  struct timespec second = { 1, 0 };
  sigfillset (&all);
  int fd = by_descriptor ? signalfd (-1, &all, 0) : -1, found;
  if (by_descriptor)
    {
      expect ("read", read (fd, &read_info, sizeof read_info), sizeof read_info);
      expect ("by descriptor", read_info.ssi_signo, SIGUSR1);
      close (fd);
      return NULL;
    }
  expect ("sigwait", sigwait (&all, &found), 0);
  expect ("it", found, SIGUSR1);
  expect ("sigtimedwait", sigtimedwait (&all, &info, &second), -1);
  expect ("errno", errno, EAGAIN);
  return NULL;
}

static void
wait_in_threads (void)
{
  for (int by_descriptor = 0; by_descriptor < 2; by_descriptor++)
    {
      pthread_t thread;
      sigset_t all, pending;
      sigfillset (&all);
      pthread_sigmask (SIG_BLOCK, &all, NULL);
      pthread_create (&thread, NULL, wait_for_all, by_descriptor ? &mark : NULL);
      burn (0.2);
      kill (getpid (), SIGUSR1);
      burn (0.1);
      pthread_join (thread, NULL);
      sigpending (&pending);
      expect ("nothing is pending", sigismember (&pending, number), 0);
      pthread_sigmask (SIG_BLOCK, NULL, &all);
      expect ("it is blocked", sigismember (&all, number), 1);
      pthread_sigmask (SIG_UNBLOCK, &all, NULL);
    }
}

int
main (int argc, char **argv)
{
  number = argc > 1 ? atoi (argv[1]) : 63;
  take_signals ();
  use_timers ();
  use_own_signal ();
  wait_in_threads ();
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigaction (number, &action, NULL);
  burn (0.1);
  puts (bad ? "wrong" : "right");
  return bad;
}
