/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that reads the intervals of its own threads: `own-intervals SCENE [BY]'.  It prints
   what it read, and what its threads know by their own clocks, for own-intervals.py:
     by N                       what bbprof_intervals_start returned
     stolen NS                  the hypervisor and interrupts took so much from all threads
     turn TID CPU-NS BEGIN END  this thread had so much CPU time between these moments
     sleep TID BEFORE AFTER     it slept once, in between
     waits TID WHY              all of the time, for this
     interval TID BEGIN END STATE CPU BY LASTS WHY */
#define _GNU_SOURCE
#define BBPROF_OPTIONAL
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bbprof.h"

enum { MS = 1000000, MOST = 100000 };

static struct bbprof_interval intervals[MOST];
static int by;

static long long
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int
own_tid (void)
{
  return (int) syscall (SYS_gettid);
}

static void
print (int tid)
{
  int n = bbprof_intervals (tid, intervals, MOST);
  if (n < 0)
    printf ("error %d\n", -n);
  for (int k = 0; k < n; k++)
    {
      const struct bbprof_interval *i = &intervals[k];
      printf ("interval %d %lu %lu %d %d %d %d %s\n", tid, i->begin, i->end, i->state, i->cpu,
              i->by, i->lasts, i->why);
    }
}

/* A thread that is joined may still be on its way out. */
static void
print_ended (int tid)
{
  while (bbprof_intervals (tid, intervals, 1) == 1 && intervals[0].lasts)
    usleep (2000);
  print (tid);
}

static void
start (void)
{
  printf ("by %d\n", bbprof_intervals_start (MOST, by));
}

/* Time in which threads have the processor by the kernel, but which their clocks do not count; in
   nanoseconds. */
static long long
stolen (void)
{
  long long t[8] = { 0 };
  FILE *f = fopen ("/proc/stat", "r");
  if (!f
      || fscanf (f, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &t[0], &t[1], &t[2], &t[3],
                 &t[4], &t[5], &t[6], &t[7])
             != 8)
    exit (99);
  fclose (f);
  return (t[5] + t[6] + t[7]) * (1000000000LL / sysconf (_SC_CLK_TCK));
}

static int tids[8];

static void
spin_for (long long ns)
{
  for (long long end = now (CLOCK_THREAD_CPUTIME_ID) + ns; now (CLOCK_THREAD_CPUTIME_ID) < end;)
    ;
}

enum { TURNS = 60 };
static long long before[8][TURNS], after[8][TURNS];
static int finished;
static sem_t end_now;

/* Works and sleeps in turn.  Prints only at its end, because printing may sleep.  Then it is
   observed once more: a thread that has ended can no longer be polled. */
static void *
worker (void *number)
{
  const int me = (int) (long) number;
  long long begin = now (CLOCK_MONOTONIC), cpu = now (CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < TURNS; i++)
    {
      spin_for (3 * MS);
      before[me][i] = now (CLOCK_MONOTONIC);
      nanosleep (&(struct timespec) { .tv_nsec = 4 * MS }, NULL);
      after[me][i] = now (CLOCK_MONOTONIC);
    }
  cpu = now (CLOCK_THREAD_CPUTIME_ID) - cpu;
  long long end = now (CLOCK_MONOTONIC);
  flockfile (stdout);
  tids[me] = own_tid ();
  printf ("turn %d %lld %lld %lld\n", tids[me], cpu, begin, end);
  for (int i = 0; i < TURNS; i++)
    printf ("sleep %d %lld %lld\n", tids[me], before[me][i], after[me][i]);
  funlockfile (stdout);
  __atomic_fetch_add (&finished, 1, __ATOMIC_SEQ_CST);
  sem_wait (&end_now);
  return NULL;
}

/* Four workers on the processors that there are; one began before the start.  The main thread
   reads its own intervals meanwhile, and with them all records. */
static void
workers (void)
{
  pthread_t thread[4];
  struct bbprof_interval own;
  const long long taken = stolen ();
  memset (before, -1, sizeof before); /* no page is missing later, which may be a sleep */
  memset (after, -1, sizeof after);
  for (int i = 0; i < 4; i++)
    {
      pthread_create (&thread[i], NULL, worker, (void *) (long) i);
      if (i == 0)
        start ();
    }
  while (__atomic_load_n (&finished, __ATOMIC_SEQ_CST) < 4)
    {
      bbprof_intervals (0, &own, 1);
      usleep (by == BBPROF_BY_POLLS ? 1000 : 20000);
    }
  usleep (5000);
  bbprof_intervals (0, &own, 1);
  for (int i = 0; i < 4; i++)
    sem_post (&end_now);
  for (int i = 0; i < 4; i++)
    pthread_join (thread[i], NULL);
  printf ("stolen %lld\n", stolen () - taken);
  for (int i = 0; i < 4; i++)
    print_ended (tids[i]);
}

static void *
spinner (void *number)
{
  long long begin = now (CLOCK_MONOTONIC), cpu = now (CLOCK_THREAD_CPUTIME_ID);
  spin_for (200LL * MS);
  cpu = now (CLOCK_THREAD_CPUTIME_ID) - cpu;
  long long end = now (CLOCK_MONOTONIC);
  flockfile (stdout);
  tids[(long) number] = own_tid ();
  printf ("turn %d %lld %lld %lld\n", own_tid (), cpu, begin, end);
  funlockfile (stdout);
  return NULL;
}

/* Three threads that want the same processor. */
static void
spinners (void)
{
  pthread_t thread[3];
  cpu_set_t set;
  const long long taken = stolen ();
  CPU_ZERO (&set);
  CPU_SET (sched_getcpu (), &set);
  sched_setaffinity (0, sizeof set, &set);
  start ();
  for (int i = 0; i < 3; i++)
    pthread_create (&thread[i], NULL, spinner, (void *) (long) i);
  for (int i = 0; i < 3; i++)
    while (pthread_tryjoin_np (thread[i], NULL) != 0)
      {
        bbprof_intervals (0, intervals, 1);
        usleep (20000);
      }
  printf ("stolen %lld\n", stolen () - taken);
  for (int i = 0; i < 3; i++)
    print_ended (tids[i]);
}

/* Each waits for something else, for ever. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int nowhere[2];

static void
wait_for_lock (void)
{
  pthread_mutex_lock (&mutex);
}

static void
wait_for_condition (void)
{
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&own);
  pthread_cond_wait (&condition, &own);
}

static void
wait_for_time (void)
{
  sleep (1000);
}

static void
wait_for_pipe (void)
{
  char byte;
  if (read (nowhere[0], &byte, 1))
    abort ();
}

static void
wait_for_poll (void)
{
  poll (&(struct pollfd) { .fd = nowhere[0], .events = POLLIN }, 1, -1);
}

static void
wait_for_child (void)
{
  pid_t child = fork ();
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      sleep (60);
      _exit (0);
    }
  waitpid (child, NULL, 0);
}

static void
wait_for_signal (void)
{
  sigset_t set;
  int number;
  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  sigprocmask (SIG_BLOCK, &set, NULL);
  sigwait (&set, &number);
}

static const struct {
  const char *why;
  void (*wait) (void);
} waiters[] = {
  { "lock", wait_for_lock },   { "condition", wait_for_condition }, { "sleep", wait_for_time },
  { "pipe", wait_for_pipe },   { "poll", wait_for_poll },           { "child", wait_for_child },
  { "signal", wait_for_signal }
};
enum { WAITERS = sizeof waiters / sizeof *waiters };

static void *
waiter (void *number)
{
  __atomic_store_n (&tids[(long) number], own_tid (), __ATOMIC_SEQ_CST);
  waiters[(long) number].wait ();
  return NULL;
}

static bool
sleeps (int tid)
{
  struct bbprof_interval last;
  return tid && bbprof_intervals (tid, &last, 1) == 1 && last.state == BBPROF_SLEEPING
         && strcmp (last.why, "unknown") != 0;
}

static void
waits (void)
{
  pthread_t thread;
  if (pipe (nowhere) != 0)
    exit (99);
  pthread_mutex_lock (&mutex);
  start ();
  for (long i = 0; i < WAITERS; i++)
    pthread_create (&thread, NULL, waiter, (void *) i);
  /* Each has been asked during its sleep. */
  for (int i = 0; i < WAITERS; i++)
    while (!sleeps (__atomic_load_n (&tids[i], __ATOMIC_SEQ_CST)))
      usleep (3000);
  for (int i = 0; i < WAITERS; i++)
    {
      printf ("waits %d %s\n", tids[i], waiters[i].why);
      print (tids[i]);
    }
  fflush (stdout);
  _exit (0);
}

static sem_t ping, pong;

static void *
player (void *unused)
{
  enum { HITS = 20000 };
  tids[0] = own_tid ();
  for (int i = 0; i < HITS; i++)
    {
      sem_wait (&ping);
      sem_post (&pong);
    }
  return unused;
}

/* More switches on one processor than a buffer has room for, with the end of a thread among them;
   and then some that are known. */
static void
lost (void)
{
  pthread_t thread;
  cpu_set_t set;
  CPU_ZERO (&set);
  CPU_SET (sched_getcpu (), &set);
  sched_setaffinity (0, sizeof set, &set);
  start ();
  pthread_create (&thread, NULL, player, NULL);
  for (int i = 0; i < 20000; i++)
    {
      sem_post (&ping);
      sem_wait (&pong);
    }
  pthread_join (thread, NULL);
  while (bbprof_intervals (tids[0], intervals, 1) == 1 && intervals[0].lasts)
    usleep (2000);
  for (int i = 0; i < 10; i++)
    usleep (3000);
  print (own_tid ());
}

/* A thread's birth and end; and what a forked child sees. */
static void
forked (void)
{
  int status;
  start ();
  fflush (stdout);
  if (fork () == 0)
    {
      printf ("child %d\n", bbprof_intervals (0, intervals, MOST));
      start ();
      usleep (5000);
      usleep (5000);
      print (own_tid ());
      printf ("stop %d\n", bbprof_intervals_stop ());
      fflush (stdout);
      _exit (0);
    }
  wait (&status);
  printf ("parent %d\n", bbprof_intervals (0, intervals, MOST) >= 2);
}

/* Threads come and go, while two threads read, handlers read, and children begin anew. */
static int rounds, bad;
static bool over;

static void *
live_briefly (void *unused)
{
  usleep (100);
  return unused;
}

static void *
make_threads (void *unused)
{
  while (!__atomic_load_n (&over, __ATOMIC_SEQ_CST))
    {
      pthread_t thread[8];
      for (int i = 0; i < 8; i++)
        pthread_create (&thread[i], NULL, live_briefly, NULL);
      for (int i = 0; i < 8; i++)
        pthread_join (thread[i], NULL);
    }
  return unused;
}

static void *
read_all (void *unused)
{
  enum { ROWS = 64, LAST = 300 };
  while (!__atomic_load_n (&over, __ATOMIC_SEQ_CST))
    {
      struct bbprof_thread_row rows[ROWS];
      struct bbprof_interval last[LAST];
      int n = bbprof_monitor_snapshot (rows, ROWS);
      for (int i = 0; i < n && i < ROWS; i++)
        {
          int k = bbprof_intervals (rows[i].tid, last, LAST);
          for (int j = 1; j < k; j++)
            if (last[j].begin != last[j - 1].end || last[j].end < last[j].begin)
              __atomic_fetch_add (&bad, 1, __ATOMIC_SEQ_CST);
        }
      __atomic_fetch_add (&rounds, 1, __ATOMIC_SEQ_CST);
    }
  return unused;
}

static void
on_signal (int number)
{
  struct bbprof_interval last;
  if (bbprof_intervals (0, &last, 1) == -EINVAL)
    __atomic_fetch_add (&bad, number, __ATOMIC_SEQ_CST);
}

static int
child (void)
{
  struct bbprof_interval last;
  if (bbprof_intervals (0, &last, 1) != -EINVAL || bbprof_intervals_start (0, by) < 1)
    return 1;
  usleep (3000);
  return bbprof_intervals (0, &last, 1) != 1;
}

static void
churn (void)
{
  pthread_t thread[4];
  signal (SIGUSR1, on_signal);
  start ();
  for (int i = 0; i < 4; i++)
    pthread_create (&thread[i], NULL, i % 2 ? make_threads : read_all, NULL);
  for (int i = 0; i < 30 || __atomic_load_n (&rounds, __ATOMIC_SEQ_CST) < 100; i++)
    {
      int status;
      for (int k = 0; k < 20; k++)
        pthread_kill (thread[k % 4], SIGUSR1), usleep (200);
      pid_t pid = fork ();
      if (pid == 0)
        _exit (child ());
      waitpid (pid, &status, 0);
      bad += status != 0;
    }
  __atomic_store_n (&over, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i < 4; i++)
    pthread_join (thread[i], NULL);
  printf ("bad %d\n", bad);
}

static void
errors (void)
{
  printf ("off %d %d\n", bbprof_intervals (0, intervals, MOST), bbprof_intervals_stop ());
  printf ("invalid %d %d %d\n", bbprof_intervals_start (-1, 0), bbprof_intervals_start (0, 3),
          bbprof_intervals_start (1 << 30, 0));
  start ();
  printf ("twice %d\n", bbprof_intervals_start (0, by));
  printf ("unknown %d none %d\n", bbprof_intervals (1, intervals, MOST),
          bbprof_intervals (0, intervals, 0));
  printf ("stop %d\n", bbprof_intervals_stop ());
  for (int i = 0; i < 1000; i++)
    if (bbprof_intervals_start (0, by) < 0 || bbprof_intervals_stop () != 0)
      printf ("start %d\n", i);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (void);
  } scenes[] = { { "workers", workers }, { "spinners", spinners }, { "waits", waits },
                 { "lost", lost },       { "forked", forked },     { "errors", errors },
                 { "churn", churn } };
  if (!bbprof_intervals_start)
    return puts ("not there"), 0;
  by = argc > 2 ? atoi (argv[2]) : 0;
  for (unsigned i = 0; argc > 1 && i < sizeof scenes / sizeof *scenes; i++)
    if (strcmp (argv[1], scenes[i].name) == 0)
      return scenes[i].run (), 0;
  return 2;
}
