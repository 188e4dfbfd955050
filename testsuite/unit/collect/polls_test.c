/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what /proc says about threads.  Threads of the test sleep for a known reason: the
   reason that is reported, by system call and by kernel function, has to be that one.  The
   numbers of a sleeping thread equal those of its own CPU clock and of its own reading of /proc.
   Polls beside events: the test makes up switches and checks which thread is polled when.  Polls
   alone: births, deaths, names, and the time of a thread that runs for less than the kernel
   tick. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/watch/event_polls.h"
#include "collect/watch/polls.h"
#include "collect/watch/proc.h"
#include "common/clock.h"
#include "runtime/switches/why.h"
#include "testsuite/unit/unit.h"

enum { PATIENCE_MS = 60000, PAUSE_US = 200 };

static struct watched seen;
static struct error err;

static void
tear_down (void)
{
  watched_free (&seen);
}

/* A thread that sleeps, and what it is to be told to wait for. */
struct sleeper {
  void (*body) (void);
  enum bbs_why why;
  bool by_function; /* this is told by the kernel's function alone, too */
  _Atomic uint32_t tid;
};

static void *
run_sleeper (void *context)
{
  struct sleeper *s = context;
  s->tid = (uint32_t) syscall (SYS_gettid);
  s->body ();
  return NULL;
}

static uint32_t
start (struct sleeper *s)
{
  pthread_t thread;
  ck_assert_int_eq (pthread_create (&thread, NULL, run_sleeper, s), 0);
  pthread_detach (thread);
  while (!s->tid)
    usleep (PAUSE_US);
  return s->tid;
}

static void
wait_for_semaphore (void)
{
  static sem_t semaphore;
  sem_wait (&semaphore);
}

static void
wait_for_condition (void)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock (&mutex);
  pthread_cond_wait (&condition, &mutex);
}

static void *
pause_for_ever (void *unused)
{
  while (true)
    pause ();
  return unused;
}

static void
wait_for_thread (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, pause_for_ever, NULL);
  pthread_join (thread, NULL);
}

static void
wait_to_write (void)
{
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock (&lock);
  pthread_rwlock_wrlock (&lock);
}

static void *
write_for_ever (void *lock)
{
  pthread_rwlock_wrlock (lock);
  return pause_for_ever (lock);
}

static void
wait_to_read (void)
{
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_t thread;
  pthread_create (&thread, NULL, write_for_ever, &lock);
  while (pthread_rwlock_tryrdlock (&lock) == 0)
    {
      pthread_rwlock_unlock (&lock);
      usleep (PAUSE_US);
    }
  pthread_rwlock_rdlock (&lock);
}

static void
wait_at_barrier (void)
{
  static pthread_barrier_t barrier;
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_barrier_wait (&barrier);
}

static void
wait_for_mutex (void)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&mutex);
  pthread_mutex_lock (&mutex);
}

static void
wait_for_file_lock (void)
{
  FILE *file = tmpfile ();
  char name[40];
  snprintf (name, sizeof name, "/proc/self/fd/%d", fileno (file));
  flock (fileno (file), LOCK_EX);
  flock (open (name, O_RDWR), LOCK_EX);
}

static void
wait_for_time (void)
{
  sleep (PATIENCE_MS);
}

static void
wait_in_poll (void)
{
  poll (NULL, 0, -1);
}

static void
wait_in_select (void)
{
  select (0, NULL, NULL, NULL, NULL);
}

static void
wait_in_epoll (void)
{
  struct epoll_event event;
  epoll_wait (epoll_create1 (0), &event, 1, -1);
}

static void
read_byte (int fd)
{
  char bytes[8];
  ssize_t n = read (fd, bytes, sizeof bytes);
  (void) n;
}

static void
wait_for_pipe (void)
{
  int ends[2];
  if (pipe (ends) == 0)
    read_byte (ends[0]);
}

static void
wait_for_socket (void)
{
  int ends[2];
  if (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) == 0)
    read_byte (ends[0]);
}

static void
wait_for_timer (void)
{
  read_byte (timerfd_create (CLOCK_MONOTONIC, 0));
}

static void
wait_for_child (void)
{
  pid_t child = fork ();
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      pause ();
      _exit (0);
    }
  waitpid (child, NULL, 0);
}

static void
wait_for_signal (void)
{
  sigset_t set;
  int signal;
  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  sigwait (&set, &signal);
}

static void
wait_in_pause (void)
{
  pause ();
}

/* Looks until T sleeps for WHY; what was seen last if that does not come. */
static struct bbs_look
look_until (struct proc *p, struct proc_thread *t, enum bbs_why why)
{
  uint64_t end = clock_now () + PATIENCE_MS * 1000000UL;
  struct bbs_look look;
  struct proc_sums sums;
  do
    {
      ck_assert (proc_sums (p, t, &sums));
      ck_assert (proc_poll (p, t, &sums, PROC_SWITCHES, &look, NULL));
      if (look.why == why || clock_now () > end)
        return look;
      usleep (PAUSE_US);
  } while (true);
}

static struct sleeper sleepers[] = {
  { .body = wait_for_semaphore, .why = BBS_WHY_SEMAPHORE },
  { .body = wait_for_condition, .why = BBS_WHY_CONDITION },
  { .body = wait_for_thread, .why = BBS_WHY_THREAD },
  { .body = wait_to_write, .why = BBS_WHY_RWLOCK },
  { .body = wait_to_read, .why = BBS_WHY_RWLOCK },
  { .body = wait_at_barrier, .why = BBS_WHY_BARRIER },
  { .body = wait_for_mutex, .why = BBS_WHY_LOCK, .by_function = true },
  { .body = wait_for_file_lock, .why = BBS_WHY_LOCK },
  { .body = wait_for_time, .why = BBS_WHY_TIME, .by_function = true },
  { .body = wait_in_poll, .why = BBS_WHY_POLL, .by_function = true },
  { .body = wait_in_select, .why = BBS_WHY_POLL, .by_function = true },
  { .body = wait_in_epoll, .why = BBS_WHY_POLL, .by_function = true },
  { .body = wait_for_pipe, .why = BBS_WHY_PIPE, .by_function = true },
  { .body = wait_for_socket, .why = BBS_WHY_PIPE, .by_function = true },
  { .body = wait_for_timer, .why = BBS_WHY_TIME },
  { .body = wait_for_child, .why = BBS_WHY_CHILD, .by_function = true },
  { .body = wait_for_signal, .why = BBS_WHY_SIGNAL, .by_function = true },
  { .body = wait_in_pause, .why = BBS_WHY_SIGNAL, .by_function = true },
};
enum { SLEEPERS = sizeof sleepers / sizeof sleepers[0] };

/* Some kernels have no names of their functions (wchan says 0). */
static bool
function_is_told (uint32_t tid)
{
  char path[64], text[80] = "";
  snprintf (path, sizeof path, "/proc/%u/wchan", tid);
  int fd = open (path, O_RDONLY);
  ssize_t n = read (fd, text, sizeof text - 1);
  close (fd);
  return n > 0 && strcmp (text, "0") != 0;
}

START_TEST (reasons)
{
  struct sleeper *s = &sleepers[_i];
  struct proc p;
  struct proc_thread t;
  proc_thread_open (&t, start (s));
  ck_assert (proc_open (&p, getpid (), 0, &err));
  if (p.reasons == BBS_REASONS_SYSCALL)
    {
      struct bbs_look look = look_until (&p, &t, s->why);
      ck_assert_int_eq (look.why, s->why);
      ck_assert_int_eq (look.state, 'S');
      ck_assert_int_ge (look.call, 0);
      struct proc_sums sums;
      struct bbs_look brief;
      ck_assert (proc_sums (&p, &t, &sums) && proc_poll (&p, &t, &sums, PROC_REASON, &brief, NULL));
      ck_assert_int_eq (brief.why, s->why);
      ck_assert_int_eq (brief.state, 'S');
      ck_assert_int_eq (brief.call, look.call);
    }
  p.reasons = BBS_REASONS_WCHAN;
  if (s->by_function && function_is_told (t.tid))
    {
      struct bbs_look look = look_until (&p, &t, s->why);
      ck_assert_int_eq (look.why, s->why);
      ck_assert_int_eq (look.call, BBS_CALL_NOT_KNOWN);
    }
  proc_thread_close (&p, &t);
  ck_assert_uint_eq (p.kept, 0);
}
END_TEST

/* A process that runs BODY. */
static pid_t
begin_child (void (*body) (void))
{
  pid_t child = fork ();
  ck_assert_int_ge (child, 0);
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      body ();
      _exit (0);
    }
  return child;
}

static void
end_child (pid_t child)
{
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
}

/* It stops in a system call, which must not be taken for the reason. */
START_TEST (stopped)
{
  pid_t child = begin_child (wait_in_poll);
  struct proc p;
  struct proc_thread t;
  proc_thread_open (&t, (uint32_t) child);
  ck_assert (proc_open (&p, child, 0, &err));
  if (p.reasons == BBS_REASONS_SYSCALL)
    ck_assert_int_eq (look_until (&p, &t, BBS_WHY_POLL).why, BBS_WHY_POLL);
  kill (child, SIGSTOP);
  struct bbs_look look = look_until (&p, &t, BBS_WHY_STOPPED);
  ck_assert_int_eq (look.why, BBS_WHY_STOPPED);
  ck_assert_int_eq (look.state, 'T');
  struct proc_sums sums;
  ck_assert (proc_sums (&p, &t, &sums) && proc_poll (&p, &t, &sums, PROC_REASON, &look, NULL));
  if (function_is_told ((uint32_t) child))
    {
      ck_assert_int_eq (look.why, BBS_WHY_STOPPED);
      ck_assert_int_eq (look.state, 'T');
    }
  end_child (child);
}
END_TEST

static char *page;

static void
touch_page (void)
{
  *(volatile char *) page = 1;
}

/* Memory that nobody provides. */
START_TEST (page_fault)
{
  int fd = (int) syscall (SYS_userfaultfd, O_CLOEXEC);
  struct uffdio_api api = { .api = UFFD_API };
  if (fd < 0 || ioctl (fd, UFFDIO_API, &api) != 0)
    return;
  page = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct uffdio_register area = { .range = { .start = (uintptr_t) page, .len = 4096 },
                                  .mode = UFFDIO_REGISTER_MODE_MISSING };
  ck_assert_int_eq (ioctl (fd, UFFDIO_REGISTER, &area), 0);
  struct sleeper s = { .body = touch_page };
  struct proc p;
  struct proc_thread t;
  proc_thread_open (&t, start (&s));
  ck_assert (proc_open (&p, getpid (), 0, &err));
  struct bbs_look look = look_until (&p, &t, BBS_WHY_MEMORY);
  ck_assert_int_eq (look.why, BBS_WHY_MEMORY);
  ck_assert_int_eq (look.call, -1);
  ioctl (fd, UFFDIO_UNREGISTER, &area.range);
  close (fd);
}
END_TEST

static sem_t turns[2];

static void
hand_to_second (void)
{
  for (;;)
    {
      sem_post (&turns[1]);
      sem_wait (&turns[0]);
    }
}

static void
hand_to_first (void)
{
  for (;;)
    {
      sem_wait (&turns[1]);
      sem_post (&turns[0]);
    }
}

/* Two threads that sleep for microseconds, and hardly hold still for a look. */
START_TEST (hand_off)
{
  sem_init (&turns[0], 0, 0);
  sem_init (&turns[1], 0, 0);
  struct sleeper first = { .body = hand_to_second }, second = { .body = hand_to_first };
  struct proc p;
  struct proc_thread t;
  proc_thread_open (&t, start (&first));
  start (&second);
  ck_assert (proc_open (&p, getpid (), 0, &err));
  enum bbs_why why = p.reasons == BBS_REASONS_SYSCALL ? BBS_WHY_SEMAPHORE : BBS_WHY_LOCK;
  ck_assert_int_eq (look_until (&p, &t, why).why, why);
}
END_TEST

/* A thread that knows what it is worth: of its own reading of /proc, just before it goes to
   sleep. */
static struct {
  uint64_t voluntary;
  pthread_t thread;
} own;

static uint64_t
number_of (const char *text, const char *name)
{
  const char *at = strstr (text, name);
  return at ? strtoull (at + strlen (name), NULL, 10) : 0;
}

static void
work_and_sleep (void)
{
  char text[4096];
  own.thread = pthread_self ();
  for (int i = 0; i < 50; i++)
    usleep (PAUSE_US);
  int fd = open ("/proc/thread-self/status", O_RDONLY);
  ssize_t n = read (fd, text, sizeof text - 1);
  text[n > 0 ? n : 0] = 0;
  own.voluntary = number_of (text, "\nvoluntary_ctxt_switches:");
  wait_for_semaphore ();
}

/* Nobody but the kernel runs the clock of a thread that sleeps. */
START_TEST (numbers)
{
  struct sleeper s = { .body = work_and_sleep };
  struct proc p;
  struct proc_thread t;
  proc_thread_open (&t, start (&s));
  ck_assert (proc_open (&p, getpid (), 0, &err));
  while (!own.voluntary)
    usleep (PAUSE_US);
  struct bbs_look look, again;
  struct proc_sums sums;
  do
    {
      look = look_until (&p, &t, BBS_WHY_SEMAPHORE);
      usleep (PAUSE_US);
      ck_assert (proc_sums (&p, &t, &sums)
                 && proc_poll (&p, &t, &sums, PROC_SWITCHES, &again, NULL));
  } while (look.run != again.run);
  clockid_t clock;
  struct timespec time;
  ck_assert_int_eq (pthread_getcpuclockid (own.thread, &clock), 0);
  clock_gettime (clock, &time);
  uint64_t run = (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec;
  ck_assert_uint_eq (p.schedstat ? run : run / p.tick * p.tick, look.run);
  ck_assert_uint_eq (look.voluntary, own.voluntary + 1);
  ck_assert_uint_eq (look.voluntary + look.involuntary, again.voluntary + again.involuntary);
}
END_TEST

/* Looks of TID in what has been seen. */
static size_t
looks_of (uint32_t tid)
{
  size_t n = 0;
  for (size_t i = 0; i < seen.nlooks; i++)
    n += seen.looks[i].tid == tid;
  return n;
}

/* A period that is over at once, and a processor's time that is saved up at once. */
static void
take (struct event_polls *l, bool all)
{
  watched_clear (&seen);
  usleep (2000);
  ck_assert (event_polls_take (l, &seen, all));
}

/* A sleeping thread is polled once in each sleep, a woken one once more when it runs, a ready one
   not at all. */
START_TEST (due)
{
  struct sleeper s = { .body = wait_for_time };
  uint32_t tid = start (&s);
  struct event_polls *l = event_polls_open (getpid (), 0, 1000, &err);
  ck_assert_ptr_nonnull (l);
  event_polls_add (l, tid);
  take (l, false);
  ck_assert_uint_eq (looks_of (tid), 1);
  ck_assert_uint_ne (seen.looks[0].voluntary, BBS_NOT_KNOWN);
  static const struct {
    enum bbs_switch_kind kind;
    size_t looks;
  } steps[] = {
    { BBS_OUT_SLEEPS, 1 }, { BBS_IN, 1 },         { BBS_OUT_READY, 0 },
    { BBS_IN, 0 },         { BBS_OUT_SLEEPS, 1 }, { BBS_DIED, 0 },
  };
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
    {
      struct bbs_switch told
          = { .time = clock_now (), .tid = tid, .kind = (uint16_t) steps[i].kind };
      event_polls_switches (l, &told, 1);
      ck_assert_uint_eq (event_polls_due (l) != UINT64_MAX, steps[i].looks);
      take (l, false);
      ck_assert_msg (looks_of (tid) == steps[i].looks, "step %zu: %zu looks", i, looks_of (tid));
      take (l, false);
      ck_assert_uint_eq (looks_of (tid), 0);
    }
  event_polls_close (l);
}
END_TEST

/* At the end each thread that is there gets one, with its switches. */
START_TEST (all)
{
  struct event_polls *l = event_polls_open (getpid (), 0, 250, &err);
  ck_assert_ptr_nonnull (l);
  for (int i = 0; i < SLEEPERS; i++)
    event_polls_add (l, start (&sleepers[i]));
  event_polls_add (l, (uint32_t) getpid ());
  event_polls_add (l, UINT32_MAX); /* never was */
  take (l, true);
  ck_assert_uint_eq (seen.nlooks, SLEEPERS + 1);
  for (size_t i = 0; i < seen.nlooks; i++)
    {
      ck_assert_uint_ne (seen.looks[i].voluntary, BBS_NOT_KNOWN);
      ck_assert (i == 0 || seen.looks[i].time >= seen.looks[i - 1].time);
    }
  event_polls_close (l);
}
END_TEST

START_TEST (nobody)
{
  pid_t child = begin_child (wait_in_pause);
  end_child (child);
  ck_assert_ptr_null (event_polls_open (child, 0, 250, &err));
  ck_assert_ptr_nonnull (strstr (err.text, "there is no such process"));
  ck_assert_ptr_null (polls_open (child, 0, 1000, &err));
}
END_TEST

enum { ROUNDS = 40, RUN_NS = 500000, PERIOD_NS = 10000000 };

static uint64_t *thread_time; /* shared: what the short thread says of itself at its end */

static uint64_t
own_time (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

/* Runs for less than a tick, and sleeps: nothing of it is there when a tick comes. */
static void *
run_shortly (void *unused)
{
  (void) unused;
  prctl (PR_SET_NAME, "short (:)");
  for (int i = 0; i < ROUNDS; i++)
    {
      for (uint64_t end = own_time () + RUN_NS; own_time () < end;)
        ;
      nanosleep (&(struct timespec) { .tv_nsec = PERIOD_NS - RUN_NS }, NULL);
    }
  *thread_time = own_time ();
  usleep (300000); /* seen once more, even by a watcher that is not let run */
  return NULL;
}

static void
have_short_thread (void)
{
  pthread_t thread;
  usleep (100000);
  pthread_create (&thread, NULL, run_shortly, NULL);
  pthread_join (thread, NULL);
}

static size_t
switches_of (uint32_t tid, enum bbs_switch_kind kind)
{
  size_t n = 0;
  for (size_t i = 0; i < seen.nswitches; i++)
    n += seen.switches[i].tid == tid && seen.switches[i].kind == kind;
  return n;
}

/* The thread comes and goes while it is watched.  Its sums only grow, and the last look has all
   of what it ran. */
START_TEST (polled)
{
  thread_time
      = mmap (NULL, sizeof *thread_time, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = begin_child (have_short_thread);
  struct polls *p = polls_open (child, 0, 1000, &err);
  ck_assert_msg (p != NULL, "%s", err.text);
  ck_assert_int_eq (prctl (PR_GET_TIMERSLACK, 0, 0, 0, 0), 1);
  uint64_t end = clock_now () + PATIENCE_MS * 1000000UL;
  while (polls_take (p, &seen, false) && clock_now () < end)
    usleep (PAUSE_US);
  ck_assert (clock_now () < end);
  uint32_t tid = 0;
  for (size_t i = 0; i < seen.nnames; i++)
    tid = strcmp (seen.names[i].name, "short (:)") == 0 ? seen.names[i].tid : tid;
  ck_assert_uint_ne (tid, 0);
  ck_assert_uint_eq (switches_of (tid, BBS_BORN), 1);
  ck_assert_uint_eq (switches_of (tid, BBS_DIED), 1);
  ck_assert_uint_eq (switches_of ((uint32_t) child, BBS_BORN), 0);
  ck_assert_uint_eq (switches_of ((uint32_t) child, BBS_DIED), 1);
  ck_assert_uint_ge (looks_of (tid), 3);
  struct bbs_look before = { .run = 0 };
  for (size_t i = 0; i < seen.nlooks; i++)
    if (seen.looks[i].tid == tid)
      {
        ck_assert_uint_ge (seen.looks[i].run, before.run);
        ck_assert_uint_ge (seen.looks[i].time, before.time);
        before = seen.looks[i];
      }
  ck_assert_uint_ge (before.run + 20000000, *thread_time);
  if (before.wait != BBS_NOT_KNOWN) /* the kernel counts nanoseconds */
    ck_assert_uint_ge (before.run, *thread_time);
  ck_assert_uint_le (before.run, *thread_time + 20000000);
  polls_close (p);
  waitpid (child, NULL, 0);
}
END_TEST

/* Another user's process: it can be watched, but why it sleeps is none of ours. */
START_TEST (of_another_user)
{
  pid_t child = begin_child (wait_in_pause), watcher = fork ();
  if (watcher == 0)
    {
      struct proc p;
      _exit (setresuid (65534, 65534, 65534) == 0 && proc_open (&p, child, 0, &err)
             && p.reasons == BBS_REASONS_NONE);
    }
  int status;
  ck_assert_int_eq (waitpid (watcher, &status, 0), watcher);
  ck_assert_int_eq (status, 1 << 8);
  end_child (child);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { reasons, .times = SLEEPERS },
                                     { stopped },
                                     { page_fault },
                                     { hand_off },
                                     { numbers },
                                     { due },
                                     { all },
                                     { nobody },
                                     { polled },
                                     { of_another_user, .left_out = geteuid () != 0 } };
  return unit_run (UNIT_SUITE ("polls", UNIT_CASE (tests, .tear_down = tear_down)));
}
