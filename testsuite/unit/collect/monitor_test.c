/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the writer's monitor.  A child process of the test makes context switches and reads
   their number in /proc: the monitor has to report the same number.  Also births, deaths, names,
   an exec, and gaps where the reader was too slow. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/watch/events.h"
#include "collect/watch/monitor.h"
#include "common/clock.h"
#include "testsuite/unit/unit.h"

enum { PATIENCE_MS = 60000, THREADS = 8, LIVES = 400 };

/* So few that the buffer has room for all, however long the reader has to wait. */
enum { HAND_OFFS = 100 };

/* The account that a thread of the watched process gives of itself. */
struct account {
  _Atomic uint32_t tid;            /* the last thing that is written */
  uint64_t voluntary, involuntary; /* switches, by /proc */
  uint64_t time;                   /* it was so then: CLOCK_MONOTONIC */
};

/* Both processes have it. */
static struct shared {
  struct account before, accounts[THREADS];
  struct account lives[LIVES][2];
  _Atomic int step, born;
  bool endless;
} * shared;

static pid_t child;
static int go[2], pipes[THREADS][2];
static struct watched seen;

static void
set_up (void)
{
  shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert (shared != MAP_FAILED);
  ck_assert_int_eq (pipe (go), 0);
}

static void
tear_down (void)
{
  watched_free (&seen);
  munmap (shared, sizeof *shared);
  close (go[0]);
  close (go[1]);
}

/* It runs BODY when it is let go, and ends. */
static void
begin (void (*body) (void))
{
  child = fork ();
  ck_assert_int_ge (child, 0);
  if (child != 0)
    return;
  char byte;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (read (go[0], &byte, 1) == 1)
    body ();
  _exit (0);
}

static void
let_go (void)
{
  ck_assert_int_eq (write (go[1], "x", 1), 1);
}

static struct monitor *
watch (void)
{
  const struct monitor_options options = { .pid = child, .how = BBS_BY_EVENTS };
  struct error err = { .text = "" };
  struct monitor *m = monitor_open (&options, &err);
  ck_assert_msg (m != NULL, "%s", err.text);
  return m;
}

/* Takes until the process is gone. */
static void
watch_to_the_end (struct monitor *m)
{
  const uint64_t end = clock_now () + PATIENCE_MS * 1000000UL;
  while (monitor_take (m, &seen, false) && clock_now () < end)
    monitor_wait (m, 1000);
  ck_assert (clock_now () < end);
  monitor_take (m, &seen, true);
}

/* Waits for the process, which has to end by itself. */
static void
expect_end (int status)
{
  int got;
  ck_assert_int_eq (waitpid (child, &got, 0), child);
  ck_assert_int_eq (got, status);
}

static uint64_t
number_of (const char *status, const char *name)
{
  const char *line = strstr (status, name);
  return line ? strtoull (line + strlen (name), NULL, 10) : 0;
}

static void
read_status (uint64_t *voluntary, uint64_t *involuntary)
{
  char text[4096];
  const int fd = open ("/proc/thread-self/status", O_RDONLY);
  const ssize_t n = read (fd, text, sizeof text - 1);
  close (fd);
  text[n > 0 ? n : 0] = '\0';
  *voluntary = number_of (text, "\nvoluntary_ctxt_switches:");
  *involuntary = number_of (text, "\nnonvoluntary_ctxt_switches:");
}

/* Until nothing has changed between two times of reading: so it was between them. */
static void
account (struct account *a)
{
  uint64_t voluntary, involuntary;
  do
    {
      read_status (&a->voluntary, &a->involuntary);
      a->time = clock_now ();
      read_status (&voluntary, &involuntary);
  } while (voluntary != a->voluntary || involuntary != a->involuntary);
  atomic_store (&a->tid, (uint32_t) syscall (SYS_gettid));
}

static size_t
count (uint32_t tid, enum bbs_switch_kind kind, uint64_t until)
{
  size_t n = 0;
  for (size_t i = 0; i < seen.nswitches; i++)
    n += seen.switches[i].tid == tid && seen.switches[i].kind == kind
         && seen.switches[i].time < until;
  return n;
}

static void
expect_order (void)
{
  for (size_t i = 1; i < seen.nswitches; i++)
    ck_assert_uint_le (seen.switches[i - 1].time, seen.switches[i].time);
  for (size_t i = 1; i < seen.nnames; i++)
    ck_assert_uint_le (seen.names[i - 1].time, seen.names[i].time);
}

/* A thread that gets a processor had none, and one that leaves it had it.  CPU: the processor of
   these records, or all. */
enum { ALL_CPUS = -1 };
static void
expect_turns (uint32_t tid, int cpu, uint64_t from)
{
  bool runs = false, first = true;
  for (size_t i = 0; i < seen.nswitches; i++)
    {
      const struct bbs_switch *s = &seen.switches[i];
      if (s->tid != tid || s->kind > BBS_OUT_READY || s->time < from
          || (cpu != ALL_CPUS && s->cpu != cpu))
        continue;
      ck_assert (first || runs != (s->kind == BBS_IN));
      runs = s->kind == BBS_IN;
      first = false;
    }
}

/* As many as /proc says, since BEFORE (null: all). */
static void
expect_counts (const struct account *before, const struct account *a)
{
  const uint64_t from = before ? before->time : 0;
  const uint64_t voluntary = a->voluntary - (before ? before->voluntary : 0);
  const uint64_t involuntary = a->involuntary - (before ? before->involuntary : 0);
  ck_assert_uint_ne (a->tid, 0);
  ck_assert_uint_eq (count (a->tid, BBS_OUT_SLEEPS, a->time) - count (a->tid, BBS_OUT_SLEEPS, from),
                     voluntary);
  ck_assert_uint_eq (count (a->tid, BBS_OUT_READY, a->time) - count (a->tid, BBS_OUT_READY, from),
                     involuntary);
  expect_turns (a->tid, ALL_CPUS, from);
}

/* The name that it has last; null: none. */
static const char *
name_of (uint32_t tid)
{
  const char *name = NULL;
  for (size_t i = 0; i < seen.nnames; i++)
    if (seen.names[i].tid == tid)
      name = seen.names[i].name;
  return name;
}

/* Each waits for a byte, and gives it to the next. */
static void *
hand_off (void *number)
{
  const size_t i = (size_t) number;
  char byte, name[16];
  snprintf (name, sizeof name, "hand %zu", i);
  prctl (PR_SET_NAME, name);
  for (int k = 0; k < HAND_OFFS || shared->endless; k++)
    if (read (pipes[i][0], &byte, 1) != 1 || write (pipes[(i + 1) % THREADS][1], &byte, 1) != 1)
      abort ();
  account (&shared->accounts[i]);
  return NULL;
}

static void
hand_round (void)
{
  pthread_t threads[THREADS];
  account (&shared->before);
  for (size_t i = 0; i < THREADS; i++)
    if (pipe (pipes[i]) != 0)
      abort ();
  for (size_t i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, hand_off, (void *) i);
  if (write (pipes[0][1], "x", 1) != 1)
    abort ();
  for (size_t i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

START_TEST (counts)
{
  begin (hand_round);
  struct monitor *m = watch ();
  ck_assert_uint_eq (monitor_watch (m)->how, BBS_BY_EVENTS);
  ck_assert_uint_eq (monitor_watch (m)->refused, 0);
  let_go ();
  watch_to_the_end (m);
  ck_assert_uint_eq (monitor_lost (m), 0);
  monitor_close (m);
  expect_end (0);
  expect_order ();
  for (size_t i = 0; i < THREADS; i++)
    {
      const struct account *a = &shared->accounts[i];
      char name[16];
      expect_counts (NULL, a);
      ck_assert_uint_ge (count (a->tid, BBS_OUT_SLEEPS, UINT64_MAX), 1);
      ck_assert_uint_eq (count (a->tid, BBS_BORN, UINT64_MAX), 1);
      ck_assert_uint_eq (count (a->tid, BBS_DIED, UINT64_MAX), 1);
      snprintf (name, sizeof name, "hand %zu", i);
      ck_assert_str_eq (name_of (a->tid), name);
    }
  ck_assert_uint_eq (count ((uint32_t) child, BBS_BORN, UINT64_MAX), 0);
  ck_assert_uint_eq (count ((uint32_t) child, BBS_DIED, UINT64_MAX), 1);
}
END_TEST

/* A process that the watched one makes is another one. */
static void
make_another (void)
{
  const pid_t other = fork ();
  if (other == 0)
    {
      usleep (1000);
      _exit (0);
    }
  waitpid (other, NULL, 0);
  shared->accounts[0].tid = (uint32_t) other;
}

static char
state_of_child (void)
{
  char path[32], text[256] = "";
  snprintf (path, sizeof path, "/proc/%d/stat", child);
  const int fd = open (path, O_RDONLY);
  const ssize_t n = read (fd, text, sizeof text - 1);
  close (fd);
  const char *name_ends = n > 0 ? strrchr (text, ')') : NULL;
  return name_ends ? name_ends[2] : 0;
}

/* It sleeps when watching begins, and only goes on when that has begun: it has been seen asleep. */
START_TEST (begins)
{
  begin (make_another);
  char state = 0;
  for (const uint64_t end = clock_now () + PATIENCE_MS * 1000000UL;
       state != 'S' && clock_now () < end; usleep (1000))
    state = state_of_child ();
  struct monitor *m = watch ();
  let_go ();
  watch_to_the_end (m);
  monitor_close (m);
  expect_end (0);
  ck_assert_uint_gt (seen.nlooks, 0);
  ck_assert_uint_eq (seen.looks[0].tid, (uint32_t) child);
  ck_assert_int_eq (seen.looks[0].state, 'S');
  ck_assert_uint_lt (seen.looks[0].time, seen.switches[0].time);
}
END_TEST

/* The first thread ends; the others go on, and one of them makes another. */
static void *
after_the_first (void *unused)
{
  (void) unused;
  for (int i = 0; i < 200; i++)
    usleep (100);
  account (&shared->accounts[1]);
  return NULL;
}

static void *
before_it (void *unused)
{
  (void) unused;
  pthread_t thread;
  usleep (20000);
  pthread_create (&thread, NULL, after_the_first, NULL);
  pthread_join (thread, NULL);
  account (&shared->accounts[0]);
  return NULL;
}

static void
end_first (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, before_it, NULL);
  pthread_exit (NULL);
}

START_TEST (first_ends)
{
  begin (end_first);
  struct monitor *m = watch ();
  let_go ();
  watch_to_the_end (m);
  monitor_close (m);
  expect_end (0);
  expect_counts (NULL, &shared->accounts[0]);
  expect_counts (NULL, &shared->accounts[1]);
  ck_assert_uint_eq (count ((uint32_t) child, BBS_DIED, shared->accounts[1].time), 1);
}
END_TEST

/* Another thread than the first executes a program: it becomes the first. */
static void *
execute (void *unused)
{
  (void) unused;
  account (&shared->accounts[0]);
  execl ("/bin/sleep", "sleep", "0.05", NULL);
  _exit (1);
}

static void
execute_beside (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, execute, NULL);
  for (;;)
    pause ();
}

START_TEST (executes)
{
  begin (execute_beside);
  struct monitor *m = watch ();
  let_go ();
  watch_to_the_end (m);
  monitor_close (m);
  expect_end (0);
  const uint32_t tid = shared->accounts[0].tid, first = (uint32_t) child;
  ck_assert_uint_eq (count (tid, BBS_DIED, UINT64_MAX), 1);
  ck_assert_uint_eq (count (first, BBS_BORN, UINT64_MAX), 1);
  ck_assert_uint_eq (count (first, BBS_DIED, UINT64_MAX), 2);
  ck_assert_str_eq (name_of (first), "sleep");
  expect_turns (tid, ALL_CPUS, 0);
}
END_TEST

START_TEST (forks)
{
  begin (make_another);
  struct monitor *m = watch ();
  let_go ();
  watch_to_the_end (m);
  monitor_close (m);
  expect_end (0);
  ck_assert_uint_ne (shared->accounts[0].tid, 0);
  for (enum bbs_switch_kind kind = BBS_IN; kind < BBS_GAP; kind++)
    ck_assert_uint_eq (count (shared->accounts[0].tid, kind, UINT64_MAX), 0);
}
END_TEST

START_TEST (killed)
{
  shared->endless = true;
  begin (hand_round);
  struct monitor *m = watch ();
  let_go ();
  while (seen.nswitches < 1000)
    {
      ck_assert (monitor_take (m, &seen, false));
      monitor_wait (m, 10);
    }
  kill (child, SIGKILL);
  watch_to_the_end (m);
  const uint64_t lost = monitor_lost (m);
  monitor_close (m);
  expect_end (SIGKILL);
  /* On a busy machine the threads switch faster than this process reads: the death may be lost. */
  const size_t deaths = count ((uint32_t) child, BBS_DIED, UINT64_MAX);
  ck_assert_msg (deaths == 1 || (deaths == 0 && lost > 0), "%zu deaths, %" PRIu64 " lost", deaths,
                 lost);
}
END_TEST

/* Threads are born all the time while watching begins, and live on.  No switch comes twice, and
   none is missing of threads that were there before, or born after; of one that was just being
   born, a processor's may be. */
static void *
live_a_little (void *life)
{
  struct account *accounts = life;
  for (int k = 0; k < 2; k++)
    {
      for (int i = 0; i < 10; i++)
        usleep (1000);
      account (&accounts[k]);
    }
  return NULL;
}

static void
bear (void)
{
  pthread_t threads[LIVES];
  size_t n = 0;
  for (size_t more = 0; n < LIVES && more<THREADS; more += atomic_load (&shared->step)> 0)
    {
      if (pthread_create (&threads[n], NULL, live_a_little, shared->lives[n]) != 0)
        abort ();
      n++;
      atomic_store (&shared->born, (int) n);
    }
  for (size_t i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
}

START_TEST (births)
{
  begin (bear);
  let_go ();
  while (atomic_load (&shared->born) < LIVES / 4)
    sched_yield ();
  const int before = atomic_load (&shared->born);
  struct monitor *m = watch ();
  const uint64_t begun = monitor_watch (m)->time;
  atomic_store (&shared->step, 1);
  watch_to_the_end (m);
  const uint64_t lost = monitor_lost (m);
  monitor_close (m);
  expect_end (0);
  expect_order ();
  /* On a busy machine, where this has to wait for a processor: it proves nothing then. */
  if (lost > 0)
    return;
  for (int i = 0; i < shared->born; i++)
    {
      const struct account *life = shared->lives[i];
      for (int cpu = 0; cpu < sysconf (_SC_NPROCESSORS_CONF); cpu++)
        expect_turns (life[1].tid, cpu, 0);
      if (i < before && life[0].time > begun)
        expect_counts (&life[0], &life[1]);
    }
  for (int i = shared->born - THREADS + 1; i < shared->born && shared->born < LIVES; i++)
    {
      expect_counts (NULL, &shared->lives[i][1]);
      ck_assert_uint_eq (count (shared->lives[i][1].tid, BBS_BORN, UINT64_MAX), 1);
      ck_assert_uint_eq (count (shared->lives[i][1].tid, BBS_DIED, UINT64_MAX), 1);
    }
}
END_TEST

/* Far more than has room in a page; then, when that has been read, a second time less.  On one
   processor: only there does the kernel tell of what it could not. */
static void
overrun (void)
{
  cpu_set_t here;
  CPU_ZERO (&here);
  CPU_SET (sched_getcpu (), &here);
  sched_setaffinity (0, sizeof here, &here);
  const struct timespec moment = { .tv_nsec = 1 };
  char byte;
  account (&shared->before);
  for (int i = 0; i < 2000; i++)
    nanosleep (&moment, NULL);
  account (&shared->accounts[0]);
  if (read (go[0], &byte, 1) != 1)
    abort ();
  account (&shared->accounts[1]);
  for (int i = 0; i < 30; i++)
    nanosleep (&moment, NULL);
  account (&shared->accounts[2]);
  if (read (go[0], &byte, 1) != 1)
    abort ();
}

static void
wait_for (struct account *a)
{
  for (const uint64_t end = clock_now () + PATIENCE_MS * 1000000UL; atomic_load (&a->tid) == 0;
       usleep (1000))
    ck_assert (clock_now () < end);
}

static uint64_t
gaps (void)
{
  uint64_t n = 0;
  for (size_t i = 0; i < seen.nswitches; i++)
    n += seen.switches[i].kind == BBS_GAP ? seen.switches[i].tid : 0;
  return n;
}

static size_t
switches_of (uint32_t tid)
{
  return count (tid, BBS_IN, UINT64_MAX) + count (tid, BBS_OUT_SLEEPS, UINT64_MAX)
         + count (tid, BBS_OUT_READY, UINT64_MAX);
}

START_TEST (overruns)
{
  struct threads threads = { .tids = NULL };
  begin (overrun);
  struct events *e = events_open (child, 0, 1, &threads);
  ck_assert_ptr_nonnull (e);
  let_go ();
  wait_for (&shared->accounts[0]);
  usleep (1000);
  ck_assert (events_take (e, &seen, false));
  let_go ();
  wait_for (&shared->accounts[2]);
  ck_assert (events_take (e, &seen, true));
  const struct account *before = &shared->before, *a = shared->accounts;
  expect_counts (&a[1], &a[2]);
  ck_assert_uint_gt (gaps (), 0);
  ck_assert_uint_eq (gaps (), events_lost (e));
  const uint64_t outs = a[2].voluntary + a[2].involuntary - before->voluntary - before->involuntary;
  ck_assert_uint_ge (switches_of ((uint32_t) child) + gaps (), 2 * outs);
  ck_assert_uint_le (switches_of ((uint32_t) child) + gaps (), 2 * outs + 8);
  expect_order ();
  let_go ();
  expect_end (0);
  events_close (e);
  threads_free (&threads);
}
END_TEST

/* And ends, before anything has been read. */
static void
overrun_and_end (void)
{
  const struct timespec moment = { .tv_nsec = 1 };
  account (&shared->before);
  for (int i = 0; i < 2000; i++)
    nanosleep (&moment, NULL);
  account (&shared->accounts[0]);
}

/* Kernels before 6.0 count what was lost only where they can tell of it. */
static bool
kernel_counts_losses (void)
{
  struct utsname name;
  return uname (&name) == 0 && atoi (name.release) >= 6;
}

START_TEST (overruns_and_ends)
{
  struct threads threads = { .tids = NULL };
  begin (overrun_and_end);
  struct events *e = events_open (child, 0, 1, &threads);
  ck_assert_ptr_nonnull (e);
  let_go ();
  expect_end (0);
  ck_assert (events_take (e, &seen, true));
  const struct account *before = &shared->before, *a = shared->accounts;
  const uint64_t outs = a->voluntary + a->involuntary - before->voluntary - before->involuntary;
  ck_assert_uint_eq (gaps (), events_lost (e));
  if (kernel_counts_losses ())
    {
      ck_assert_uint_ge (switches_of ((uint32_t) child) + gaps (), 2 * outs);
      ck_assert_uint_le (switches_of ((uint32_t) child) + gaps (), 2 * outs + 8);
    }
  expect_order ();
  events_close (e);
  threads_free (&threads);
}
END_TEST

START_TEST (nobody)
{
  struct monitor_options options = { .pid = 0x3fffffff };
  struct error err;
  ck_assert_ptr_null (monitor_open (&options, &err));
  ck_assert_ptr_nonnull (strstr (err.text, "no process"));
}
END_TEST

/* Where no descriptor is to be had the kernel's number for that is kept. */
START_TEST (refused)
{
  begin (hand_round);
  const struct rlimit few = { .rlim_cur = 4, .rlim_max = 4 };
  struct threads threads = { .tids = NULL };
  ck_assert_int_eq (setrlimit (RLIMIT_NOFILE, &few), 0);
  ck_assert_ptr_null (events_open (child, 0, EVENTS_PAGES, &threads));
  ck_assert_int_eq (errno, EMFILE);
  threads_free (&threads);
  let_go ();
  expect_end (0);
}
END_TEST

/* Where they do not suffice for all threads' events /proc is polled, and that has to go on with
   as few. */
static void *
stay (void *thread)
{
  account (thread);
  pause ();
  return NULL;
}

static void
stay_all (void)
{
  pthread_t threads[THREADS];
  char byte;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, stay, &shared->accounts[i]) != 0)
      abort ();
  if (read (go[0], &byte, 1) != 1)
    abort ();
}

START_TEST (few_descriptors)
{
  enum { FEW = 20 };
  begin (stay_all);
  let_go ();
  for (int i = 0; i < THREADS; i++)
    wait_for (&shared->accounts[i]);
  const int lowest = dup (0);
  close (lowest);
  const struct rlimit few
      = { .rlim_cur = (rlim_t) lowest + FEW, .rlim_max = (rlim_t) lowest + FEW };
  ck_assert_int_eq (setrlimit (RLIMIT_NOFILE, &few), 0);
  const struct monitor_options options = { .pid = child };
  struct error err = { .text = "" };
  struct monitor *m = monitor_open (&options, &err);
  ck_assert_msg (m != NULL, "%s", err.text);
  ck_assert (monitor_watch (m)->how == BBS_BY_POLLS && monitor_watch (m)->refused == EMFILE);
  for (int i = 0; i < 20; i++)
    {
      ck_assert (monitor_take (m, &seen, false));
      monitor_wait (m, 10);
    }
  ck_assert_uint_eq (seen.nswitches, 0);
  ck_assert_uint_ge (seen.nlooks, THREADS + 1);
  monitor_close (m);
  let_go ();
  expect_end (0);
}
END_TEST

/* False: this kernel does not let the user watch. */
static bool
may_watch (void)
{
  struct threads threads = { .tids = NULL };
  struct events *e = events_open (getpid (), 0, EVENTS_PAGES, &threads);
  if (!e)
    fprintf (stderr, "the kernel refuses events of context switches: %s\n", strerror (errno));
  events_close (e);
  threads_free (&threads);
  return e != NULL;
}

int
main (void)
{
  if (!may_watch ())
    return 77;
  const struct unit_test tests[] = { { counts },   { begins },   { first_ends },
                                     { executes }, { forks },    { killed },
                                     { births },   { overruns }, { overruns_and_ends },
                                     { nobody },   { refused },  { few_descriptors } };
  return unit_run (
      UNIT_SUITE ("monitor", UNIT_CASE (tests, .set_up = set_up, .tear_down = tear_down)));
}
