/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that asks for samples itself (sampling-api.test).

     asked choice SAMPLER CLOCK RATE MS  "-": not said; says what has come of it, and works so many
                                         milliseconds
     asked nothing         works a little
     asked twice       starts and stops in wrong and right order
     asked phases      before () and between () are not to be sampled, first () and second () are
     asked threads     a thread asks, for two that run already, and one that comes later
     asked chosen      of the two threads "left" and "right" only the first
     asked race        several threads ask at once
     asked fork        a child goes on, stops, and asks for something else
     asked masks       what a thread blocks stays blocked, whichever signal samples come by
     asked timer       sets setitimer's profiling timer, whose signal ends it
     asked deaf        a thread waits for all signals, and gets the one that was sent
     asked often N     changes sampler, clock and rate so often, while threads work and wait
     asked mistakes    what is refused, and why  */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bbprof.h"

#define MILLISECOND 1000000L

static long
used (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000 * MILLISECOND + time.tv_nsec;
}

static void
wait_for (long milliseconds)
{
  struct timespec time = { milliseconds / 1000, milliseconds % 1000 * MILLISECOND };
  while (nanosleep (&time, &time) != 0)
    continue;
}

/* Of CPU time. */
#define WORK(name)                                                                   \
  __attribute__ ((noipa)) static void name (long milliseconds)                       \
  {                                                                                  \
    volatile unsigned long sum = 0;                                                  \
    for (long end = used () + milliseconds * MILLISECOND; used () < end;)            \
      for (int i = 0; i < 50000; i++)                                                \
        sum += (unsigned long) i;                                                    \
  }
WORK (work)
WORK (before)
WORK (first)
WORK (between)
WORK (second)
WORK (left)
WORK (right)

static int failures;

static void
check (const char *what, int is, int should)
{
  if (is == should)
    return;
  printf ("%s: %d instead of %d\n", what, is, should);
  failures++;
}

static int
start (const char *sampler, int clock, unsigned rate)
{
  struct bbprof_sampling wish = { .sampler = sampler, .clock = clock, .rate = rate, .stacks = 1 };
  return bbprof_sampling_start (&wish);
}

static void
choice (char **argument)
{
  struct bbprof_sampling wish = { .stacks = 1 };
  if (strcmp (argument[0], "-") != 0)
    wish.sampler = argument[0];
  wish.clock = strcmp (argument[1], "cpu") == 0    ? BBPROF_CPU_TIME
               : strcmp (argument[1], "wall") == 0 ? BBPROF_WALL_TIME
                                                   : 0;
  wish.rate = strcmp (argument[2], "-") == 0 ? 0 : (unsigned) atoi (argument[2]);
  errno = 4711;
  int error = bbprof_sampling_start (&wish);
  check ("errno", errno, 4711);
  printf ("%s|%s %s %u|%s\n", error ? strerrorname_np (-error) : "0", wish.runs,
          wish.runs_clock == BBPROF_WALL_TIME ? "wall"
          : wish.runs_clock                   ? "cpu"
                                              : "none",
          wish.runs_rate, wish.message);
  work (atol (argument[3]));
}

static void
twice (void)
{
  check ("stop at first", bbprof_sampling_stop (), -EINVAL);
  check ("start", bbprof_sampling_start (NULL), 0);
  check ("start again", bbprof_sampling_start (NULL), -EBUSY);
  check ("stop", bbprof_sampling_stop (), 0);
  check ("stop again", bbprof_sampling_stop (), -EINVAL);
  check ("start anew", start ("thread", BBPROF_CPU_TIME, 100), 0);
  work (100);
  _mcleanup ();
  check ("stop after _mcleanup", bbprof_sampling_stop (), 0);
  check ("start after _mcleanup", bbprof_sampling_start (NULL), -EINVAL);
}

static void
phases (void)
{
  before (300);
  check ("start", start ("thread", BBPROF_CPU_TIME, 250), 0);
  first (300);
  check ("stop", bbprof_sampling_stop (), 0);
  bbprof_stop ();
  bbprof_start ();
  between (300);
  check ("start again", start ("thread", BBPROF_CPU_TIME, 250), 0);
  second (300);
}

static void *
ask (void *unused)
{
  check ("start", start ("thread", BBPROF_CPU_TIME, 250), 0);
  return unused;
}

static void *
be_left (void *unused)
{
  pthread_setname_np (pthread_self (), "left");
  left (600);
  return unused;
}

static void *
be_right (void *unused)
{
  pthread_setname_np (pthread_self (), "right");
  right (600);
  return unused;
}

static pthread_t
thread_of (void *(*function) (void *))
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, function, NULL) != 0)
    abort ();
  return thread;
}

static void
threads (const char *chosen)
{
  struct bbprof_sampling wish = { .rate = 250, .stacks = 1, .threads = chosen };
  pthread_t one = thread_of (be_left), other;
  wait_for (20);
  if (chosen)
    check ("start", bbprof_sampling_start (&wish), 0);
  else
    pthread_join (thread_of (ask), NULL);
  other = thread_of (be_right);
  work (600);
  pthread_join (one, NULL);
  pthread_join (other, NULL);
}

static int begun, at_once;

static void *
race_one (void *unused)
{
  __atomic_fetch_add (&at_once, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n (&at_once, __ATOMIC_SEQ_CST) < 4)
    continue;
  int error = start ("auto", 0, 0);
  if (error == 0)
    __atomic_fetch_add (&begun, 1, __ATOMIC_SEQ_CST);
  else if (error != -EBUSY && error != -EINVAL) /* the profile itself is about to begin */
    check ("start", error, -EBUSY);
  return unused;
}

static void
race (void)
{
  pthread_t thread[4];
  for (int i = 0; i < 4; i++)
    thread[i] = thread_of (race_one);
  for (int i = 0; i < 4; i++)
    pthread_join (thread[i], NULL);
  check ("began", begun, 1);
  work (100);
}

static void
child (void)
{
  check ("start", start ("thread", BBPROF_CPU_TIME, 250), 0);
  first (200);
  fflush (stdout);
  if (fork () == 0)
    {
      failures = 0;
      second (200);
      check ("start in the child", start ("thread", BBPROF_CPU_TIME, 250), -EBUSY);
      check ("stop in the child", bbprof_sampling_stop (), 0);
      between (200);
      exit (failures != 0);
    }
  int status = 0;
  wait (&status);
  check ("status of the child", status, 0);
}

static void
masks (void)
{
  sigset_t prof, now;
  sigemptyset (&prof);
  sigaddset (&prof, SIGPROF);
  sigprocmask (SIG_BLOCK, &prof, NULL);
  check ("start", start ("thread", BBPROF_CPU_TIME, 250), 0);
  raise (SIGPROF);
  sigprocmask (SIG_BLOCK, NULL, &now);
  for (int number = 1; number < NSIG; number++)
    if (sigismember (&now, number) == 1)
      check ("blocked", number, SIGPROF);
  check ("SIGPROF is blocked", sigismember (&now, SIGPROF), 1);
  work (200);
  sigpending (&now);
  check ("SIGPROF waits", sigismember (&now, SIGPROF), 1);
  signal (SIGPROF, SIG_IGN);
  sigprocmask (SIG_UNBLOCK, &prof, &now);
  check ("SIGPROF was blocked", sigismember (&now, SIGPROF), 1);
  sigprocmask (SIG_BLOCK, NULL, &now);
  check ("none is blocked", sigisemptyset (&now), 1);
  work (200);
}

static void
timer (void)
{
  const struct itimerval soon = { { 0, 0 }, { 0, 50000 } };
  check ("start", start ("thread", BBPROF_CPU_TIME, 250), 0);
  setitimer (ITIMER_PROF, &soon, NULL);
  work (1000);
}

static volatile int got;

static void *
wait_for_all (void *unused)
{
  sigset_t all;
  siginfo_t info;
  sigfillset (&all);
  got = (int) syscall (SYS_rt_sigtimedwait, &all, &info, NULL, 8);
  left (200);
  return unused;
}

static void
deaf (void)
{
  sigset_t all, old;
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, &old);
  pthread_t thread = thread_of (wait_for_all);
  sigprocmask (SIG_SETMASK, &old, NULL);
  wait_for (50);
  check ("start", start ("ticker", BBPROF_WALL_TIME, 1000), 0);
  wait_for (300);
  pthread_kill (thread, SIGUSR1);
  pthread_join (thread, NULL);
  check ("signal", got, SIGUSR1);
}

static volatile int done;

static void *
work_on (void *unused)
{
  while (!done)
    work (1);
  return unused;
}

static void *
wait_on (void *unused)
{
  while (!done)
    {
      const struct timespec time = { 0, MILLISECOND };
      check ("nanosleep", nanosleep (&time, NULL), 0);
    }
  return unused;
}

static void
often (long n)
{
  static const struct {
    const char *name;
    int clock;
  } samplers[] = { { "thread", BBPROF_CPU_TIME },  { "ticker", BBPROF_WALL_TIME },
                   { "perf", BBPROF_CPU_TIME },    { "itimer", BBPROF_CPU_TIME },
                   { "thread", BBPROF_WALL_TIME }, { "auto", BBPROF_WALL_TIME } };
  pthread_t one = thread_of (work_on), other = thread_of (wait_on);
  for (long i = 0; i < n; i++)
    {
      int which = (int) (i * 7 % 11 % 6),
          error
          = start (samplers[which].name, samplers[which].clock, 100 + (unsigned) (i % 10) * 400);
      if (error != 0 && error != -ENOTSUP)
        check ("start", error, 0);
      work (i % 5);
      if (error == 0)
        check ("stop", bbprof_sampling_stop (), 0);
    }
  done = 1;
  pthread_join (one, NULL);
  pthread_join (other, NULL);
  check ("start at last", start ("auto", 0, 0), 0);
  work (300);
}

static void
refused (const char *what, struct bbprof_sampling wish, int error, const char *message)
{
  check (what, bbprof_sampling_start (&wish), error);
  if (strstr (wish.message, message))
    return;
  printf ("%s: '%s' without '%s'\n", what, wish.message, message);
  failures++;
}

static void
mistakes (void)
{
  static char much[5000];
  memset (much, 'a', sizeof much - 1);
  refused ("clock", (struct bbprof_sampling) { .clock = 3 }, -EINVAL, "BBPROF_WALL_TIME");
  refused ("rate", (struct bbprof_sampling) { .rate = 1000001 }, -EINVAL, "1000000 a second");
  refused ("threads", (struct bbprof_sampling) { .threads = much }, -EINVAL, "too long");
  refused ("name", (struct bbprof_sampling) { .sampler = "best" }, -ENOTSUP,
           "sampler=best: there is no such sampler");
  refused ("CPU time", (struct bbprof_sampling) { .sampler = "ticker", .clock = BBPROF_CPU_TIME },
           -ENOTSUP, "ticker samples wall time");
  refused ("wall time", (struct bbprof_sampling) { .sampler = "itimer", .clock = BBPROF_WALL_TIME },
           -ENOTSUP, "cannot sample wall time");
  check ("nothing runs", bbprof_sampling_stop (), -EINVAL);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp (what, "choice") && argc == 6)
    choice (argv + 2);
  else if (!strcmp (what, "nothing"))
    work (50);
  else if (!strcmp (what, "twice"))
    twice ();
  else if (!strcmp (what, "phases"))
    phases ();
  else if (!strcmp (what, "threads"))
    threads (NULL);
  else if (!strcmp (what, "chosen"))
    threads ("left");
  else if (!strcmp (what, "race"))
    race ();
  else if (!strcmp (what, "fork"))
    child ();
  else if (!strcmp (what, "masks"))
    masks ();
  else if (!strcmp (what, "timer"))
    timer ();
  else if (!strcmp (what, "deaf"))
    deaf ();
  else if (!strcmp (what, "often") && argc == 3)
    often (atol (argv[2]));
  else if (!strcmp (what, "mistakes"))
    mistakes ();
  else
    return 2;
  return failures != 0;
}
