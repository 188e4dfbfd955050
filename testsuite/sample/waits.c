/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits in each way that a signal handler would make fail: no wait may notice the ticks.  Each wait
   ends when it should, never early, with the result that it has without a profiler; and a handler
   of the program's own does interrupt it. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT 60 /* milliseconds */

static int bad, fds[2], events;
static sigset_t all, usr2;
static const struct timespec some = { 0, WAIT * 1000000 };

static long
since (const struct timespec *start)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start->tv_sec) * 1000000 + (now.tv_nsec - start->tv_nsec) / 1000;
}

static struct timespec
point (clockid_t clock)
{
  struct timespec at;
  clock_gettime (clock, &at);
  at.tv_nsec += WAIT * 1000000;
  at.tv_sec += at.tv_nsec / 1000000000;
  at.tv_nsec %= 1000000000;
  return at;
}

/* CALL has to return RESULT, with ERROR if that is -1, after LEAST milliseconds. */
#define CHECK(what, result, error, least, call)                                                    \
  do                                                                                               \
    {                                                                                              \
      struct timespec start_;                                                                      \
      clock_gettime (CLOCK_MONOTONIC, &start_);                                                    \
      errno = 0;                                                                                   \
      long got_ = call, number_ = errno, passed_ = since (&start_);                                \
      if (got_ != (result) || (got_ == -1 && number_ != (error)) || passed_ < (least) * 1000 - 20) \
        {                                                                                          \
          printf ("%s: %ld (%s) after %ld us\n", what, got_, strerror ((int) number_), passed_);   \
          bad = 1;                                                                                 \
        }                                                                                          \
    }                                                                                              \
  while (0)

static void
on_signal (int number)
{
  (void) number;
}

static pid_t child;

/* A child that, after a while, writes a byte; or sends NUMBER, again and again, because we may not
   wait yet. */
static void
later (int number)
{
  pid_t parent = getpid ();
  child = fork ();
  if (child != 0)
    return;
  do
    {
      nanosleep (&some, NULL);
      if (number ? kill (parent, number) != 0 : write (fds[1], "x", 1) != 1)
        _exit (1);
    }
  while (number);
  _exit (0);
}

static void
reap (bool byte)
{
  char c;
  if (byte && read (fds[0], &c, 1) != 1)
    bad = 1;
  if (!byte)
    kill (child, SIGKILL);
  while (waitpid (child, NULL, 0) < 0 && errno == EINTR)
    continue;
}

static void
sleeps (void)
{
  struct timespec rest, at = point (CLOCK_MONOTONIC);
  CHECK ("nanosleep", 0, 0, WAIT, nanosleep (&some, NULL));
  CHECK ("nanosleep with a rest", 0, 0, WAIT, nanosleep (&some, &rest));
  CHECK ("clock_nanosleep", 0, 0, WAIT, clock_nanosleep (CLOCK_MONOTONIC, 0, &some, NULL));
  CHECK ("clock_nanosleep to a point", 0, 0, 0,
         clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL));
  CHECK ("usleep", 0, 0, WAIT, usleep (WAIT * 1000));
  CHECK ("sleep", 0, 0, 1000, sleep (1));
}

static void
descriptors (void)
{
  struct pollfd one = { fds[0], POLLIN, 0 };
  struct epoll_event event;
  struct timeval time = { 0, WAIT * 1000 };
  fd_set set;
  FD_ZERO (&set);
  FD_SET (fds[0], &set);
  CHECK ("poll", 0, 0, WAIT, poll (&one, 1, WAIT));
  CHECK ("poll of nothing", 0, 0, WAIT, poll (NULL, 0, WAIT));
  CHECK ("ppoll", 0, 0, WAIT, ppoll (&one, 1, &some, &all));
  CHECK ("select", 0, 0, WAIT, select (fds[0] + 1, &set, NULL, NULL, &time));
  time = (struct timeval) { 0, WAIT * 1000 };
  CHECK ("select by number", 0, 0, WAIT, syscall (SYS_select, 0, NULL, NULL, NULL, &time));
  FD_SET (fds[0], &set);
  CHECK ("pselect", 0, 0, WAIT, pselect (fds[0] + 1, &set, NULL, NULL, &some, &all));
  CHECK ("epoll_wait", 0, 0, WAIT, epoll_wait (events, &event, 1, WAIT));
  CHECK ("epoll_pwait", 0, 0, WAIT, epoll_pwait (events, &event, 1, WAIT, &all));
  later (0);
  CHECK ("poll until something comes", 1, 0, 0, poll (&one, 1, -1));
  reap (true);
  later (0);
  CHECK ("poll, and something comes", 1, 0, 0, poll (&one, 1, 60000));
  reap (true);
  later (0);
  CHECK ("epoll_wait until something comes", 1, 0, 0, epoll_wait (events, &event, 1, -1));
  reap (true);
  later (0);
  reap (true);
}

static void
others (void)
{
  sem_t semaphore;
  int word = 0;
  struct timespec at = point (CLOCK_REALTIME);
  sem_init (&semaphore, 0, 0);
  CHECK ("sem_timedwait", -1, ETIMEDOUT, 0, sem_timedwait (&semaphore, &at));
  CHECK ("futex", -1, ETIMEDOUT, WAIT, syscall (SYS_futex, &word, FUTEX_WAIT, 0, &some, NULL, 0));
  CHECK ("sigtimedwait", -1, EAGAIN, WAIT, sigtimedwait (&usr2, NULL, &some));
  CHECK ("sigtimedwait for all", -1, EAGAIN, WAIT, sigtimedwait (&all, NULL, &some));
  later (SIGUSR2);
  CHECK ("sigwaitinfo", SIGUSR2, 0, 0, sigwaitinfo (&usr2, NULL));
  reap (false);
}

/* The program's own handlers. */
static void
interrupted (void)
{
  struct sigaction action = { .sa_handler = on_signal };
  struct timespec minute = { 60, 0 }, rest = { 0, 0 };
  sigset_t open;
  char c;
  sigaction (SIGUSR1, &action, NULL);
  sigaction (SIGUSR2, &action, NULL);
  later (SIGUSR1);
  CHECK ("pause", -1, EINTR, 0, pause ());
  reap (false);
  sigprocmask (SIG_SETMASK, NULL, &open);
  sigdelset (&open, SIGUSR2);
  later (SIGUSR2);
  CHECK ("sigsuspend", -1, EINTR, 0, sigsuspend (&open));
  reap (false);
  later (SIGUSR1);
  CHECK ("nanosleep, interrupted", -1, EINTR, 0, nanosleep (&minute, &rest));
  reap (false);
  if (rest.tv_sec < 50 || rest.tv_sec > 59)
    bad = printf ("nanosleep has left %ld s of 60\n", (long) rest.tv_sec);
  later (SIGUSR1);
  CHECK ("read, interrupted", -1, EINTR, 0, read (fds[0], &c, 1));
  reap (false);
  action.sa_flags = SA_RESTART;
  sigaction (SIGUSR1, &action, NULL);
  later (SIGUSR1);
  pid_t first = child;
  later (0);
  CHECK ("read, begun anew", 1, 0, 0, read (fds[0], &c, 1));
  reap (false);
  child = first;
  reap (false);
}

int
main (void)
{
  struct epoll_event event = { .events = EPOLLIN };
  events = epoll_create1 (0);
  if (pipe (fds) != 0 || epoll_ctl (events, EPOLL_CTL_ADD, fds[0], &event) != 0)
    return 99;
  sigfillset (&all);
  sigemptyset (&usr2);
  sigaddset (&usr2, SIGUSR2);
  sigprocmask (SIG_BLOCK, &usr2, NULL);
  sleeps ();
  descriptors ();
  others ();
  interrupted ();
  puts (bad ? "wrong" : "right");
  return bad;
}
