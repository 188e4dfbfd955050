/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of bbprof_monitor_snapshot: its values lie between those of the threads' own clocks and
   /proc before and after it; it has every thread, in order; and on a failure it reports the
   failure or leaves out what it does not know. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "include/bbprof.h"
#include "testsuite/seam/seam.h"
#include "testsuite/unit/unit.h"

enum { WORKERS = 3, FIRST = 0, SPINS = 1, SLEEPS = 2, WORKS = 3, ALL = 4, MANY = 40 };

/* The first thread and those that it has made. */
static struct {
  pthread_t thread;
  atomic_int tid;
} threads[ALL];
static atomic_bool over;

static void
nap (long microseconds)
{
  nanosleep (&(struct timespec) { .tv_nsec = 1000 * microseconds }, NULL);
}

static unsigned long long
clock_of (clockid_t clock)
{
  struct timespec t;
  return clock_gettime (clock, &t) == 0
             ? (unsigned long long) t.tv_sec * 1000000000 + (unsigned long long) t.tv_nsec
             : 0;
}

static void
begin (int which, const char *name)
{
  threads[which].thread = pthread_self ();
  pthread_setname_np (pthread_self (), name);
  atomic_store (&threads[which].tid, (int) syscall (SYS_gettid));
}

static void *
spin (void *unused)
{
  begin (SPINS, "a) R (9 9 9");
  while (!over)
    continue;
  return unused;
}

static void *
sleep_on (void *unused)
{
  begin (SLEEPS, "sleeper");
  while (!over)
    nap (900000);
  return unused;
}

static void *
work_a_little (void *unused)
{
  begin (WORKS, "fifteen letters");
  while (!over)
    {
      for (unsigned long long end = clock_of (CLOCK_THREAD_CPUTIME_ID) + 500000;
           clock_of (CLOCK_THREAD_CPUTIME_ID) < end;)
        continue;
      nap (9500);
    }
  return unused;
}

static void
start_threads (void)
{
  static void *(*const work[WORKERS]) (void *) = { spin, sleep_on, work_a_little };
  begin (FIRST, "first");
  for (int i = 0; i < WORKERS; i++)
    {
      ck_assert_int_eq (pthread_create (&threads[1 + i].thread, NULL, work[i], NULL), 0);
      while (!threads[1 + i].tid)
        nap (100);
    }
}

static void
end_threads (void)
{
  over = true;
  for (int i = 1; i < ALL; i++)
    pthread_join (threads[i].thread, NULL);
}

/* The facts of a thread from another source. */
struct truth {
  unsigned long long run, wait, voluntary, involuntary, time;
};

static FILE *
open_file (int tid, const char *name)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/self/task/%d/%s", tid, name);
  FILE *in = fopen (path, "r");
  ck_assert_ptr_nonnull (in);
  return in;
}

static struct truth
truth_of (int which)
{
  struct truth t = { 0 };
  char line[256];
  clockid_t clock;
  FILE *in = open_file (threads[which].tid, "schedstat");
  ck_assert_int_eq (fscanf (in, "%*u %llu", &t.wait), 1);
  fclose (in);
  in = open_file (threads[which].tid, "status");
  while (fgets (line, sizeof line, in))
    {
      sscanf (line, "voluntary_ctxt_switches: %llu", &t.voluntary);
      sscanf (line, "nonvoluntary_ctxt_switches: %llu", &t.involuntary);
    }
  fclose (in);
  ck_assert_int_eq (pthread_getcpuclockid (threads[which].thread, &clock), 0);
  t.run = clock_of (clock);
  t.time = clock_of (CLOCK_MONOTONIC);
  return t;
}

static void
check_between (unsigned long long value, unsigned long long low, unsigned long long high)
{
  ck_assert_uint_ge (value, low);
  ck_assert_uint_le (value, high);
}

static void
check_row (const struct bbprof_thread_row *row, const struct truth *before,
           const struct truth *after)
{
  check_between (row->run, before->run, after->run);
  check_between (row->wait, before->wait, after->wait);
  check_between (row->voluntary, before->voluntary, after->voluntary);
  check_between (row->involuntary, before->involuntary, after->involuntary);
  check_between (row->time, before->time, after->time);
  ck_assert_int_ge (row->cpu, 0);
  ck_assert_int_lt (row->cpu, (int) sysconf (_SC_NPROCESSORS_CONF));
}

START_TEST (agrees_with_clocks_and_proc)
{
  static const char *const names[ALL] = { "first", "a) R (9 9 9", "sleeper", "fifteen letters" };
  struct bbprof_thread_row rows[ALL];
  struct truth before[ALL], after[ALL];
  start_threads ();
  for (int round = 0; round < 50; round++)
    {
      nap (2000);
      for (int i = 0; i < ALL; i++)
        before[i] = truth_of (i);
      errno = 77;
      ck_assert_int_eq (bbprof_monitor_snapshot (rows, ALL), ALL);
      ck_assert_int_eq (errno, 77);
      for (int i = 0; i < ALL; i++)
        after[i] = truth_of (i);
      for (int i = 0; i < ALL; i++)
        {
          ck_assert_int_eq (rows[i].tid, threads[i].tid); /* which were made in this order */
          ck_assert_str_eq (rows[i].name, names[i]);
          check_row (&rows[i], &before[i], &after[i]);
        }
      ck_assert_int_eq (rows[FIRST].state, 'R');
      ck_assert_int_eq (rows[SPINS].state, 'R');
      ck_assert_int_eq (rows[SLEEPS].state, 'S');
    }
  end_threads ();
}
END_TEST

START_TEST (fewer_rows_than_threads)
{
  struct bbprof_thread_row rows[ALL];
  start_threads ();
  ck_assert_int_eq (bbprof_monitor_snapshot (NULL, 0), ALL);
  ck_assert_int_eq (bbprof_monitor_snapshot (NULL, -1), ALL);
  rows[2].tid = 4711;
  ck_assert_int_eq (bbprof_monitor_snapshot (rows, 2), ALL);
  ck_assert_int_eq (rows[0].tid, threads[0].tid);
  ck_assert_int_eq (rows[1].tid, threads[1].tid);
  ck_assert_int_eq (rows[2].tid, 4711);
  end_threads ();
}
END_TEST

static void *
end_at_once (void *unused)
{
  return unused;
}

static void *
make_threads (void *unused)
{
  while (!over)
    {
      pthread_t one;
      if (pthread_create (&one, NULL, end_at_once, NULL) == 0)
        pthread_join (one, NULL);
    }
  return unused;
}

/* A thread that ends between two polls has no row; one that stays has one, and the rows stay in
   order. */
START_TEST (while_threads_begin_and_end)
{
  struct bbprof_thread_row rows[MANY];
  pthread_t maker;
  start_threads ();
  ck_assert_int_eq (pthread_create (&maker, NULL, make_threads, NULL), 0);
  for (int round = 0; round < 500; round++)
    {
      int n = bbprof_monitor_snapshot (rows, MANY), found = 0;
      check_between ((unsigned) n, ALL + 1, MANY);
      for (int i = 0; i < n; i++)
        {
          ck_assert (i == 0 || rows[i - 1].tid < rows[i].tid);
          ck_assert_uint_ne (rows[i].time, 0);
          for (int k = 0; k < ALL; k++)
            found += rows[i].tid == threads[k].tid;
        }
      ck_assert_int_eq (found, ALL);
    }
  over = true;
  pthread_join (maker, NULL);
  end_threads ();
}
END_TEST

static volatile int seen_in_handler;

static void
look (int number)
{
  struct bbprof_thread_row rows[ALL];
  (void) number;
  seen_in_handler = bbprof_monitor_snapshot (rows, ALL);
}

START_TEST (in_a_signal_handler)
{
  static char stack[16384];
  struct sigaction action = { .sa_handler = look, .sa_flags = SA_ONSTACK };
  ck_assert_int_eq (sigaltstack (&(stack_t) { .ss_sp = stack, .ss_size = sizeof stack }, NULL), 0);
  ck_assert_int_eq (sigaction (SIGUSR1, &action, NULL), 0);
  raise (SIGUSR1);
  ck_assert_int_eq (seen_in_handler, 1);
}
END_TEST

/* The Nth call of the number CALL fails. */
static int
snapshot_without (struct bbprof_thread_row *row, long call, unsigned nth, int error)
{
  bbp_seam_plan (call, nth, false, error);
  int result = bbprof_monitor_snapshot (row, 1);
  bbp_seam_plan (call, 0, false, 0);
  return result;
}

START_TEST (what_cannot_be_read)
{
  enum { FOLDER = 1, SCHEDSTAT, STATUS, STAT };
  struct bbprof_thread_row row;
  nap (1000);
  ck_assert_int_eq (snapshot_without (&row, SYS_openat, FOLDER, EMFILE), -EMFILE);
  ck_assert_int_eq (snapshot_without (&row, SYS_getdents64, 1, EPERM), -EPERM);
  ck_assert_int_eq (snapshot_without (&row, SYS_openat, SCHEDSTAT, ENOENT), 1);
  ck_assert_uint_eq (row.wait, 0);
  ck_assert_uint_ne (row.run, 0);
  ck_assert_int_eq (snapshot_without (&row, SYS_openat, STATUS, EACCES), 1);
  ck_assert_uint_eq (row.voluntary, 0);
  ck_assert_int_eq (snapshot_without (&row, SYS_openat, STAT, ESRCH), 0);
  ck_assert_int_eq (bbprof_monitor_snapshot (&row, 1), 1);
  ck_assert_uint_ge (row.voluntary, 1);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { agrees_with_clocks_and_proc },
                                     { fewer_rows_than_threads },
                                     { while_threads_begin_and_end },
                                     { in_a_signal_handler },
                                     { what_cannot_be_read } };
  return unit_run (UNIT_SUITE ("snapshot", UNIT_CASE (tests)));
}
