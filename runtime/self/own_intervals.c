/* SPDX-License-Identifier: MIT */
/* bbprof_intervals_start, bbprof_intervals and bbprof_intervals_stop.  The library's lock is not
   used: the program may be without a profile, and then no fork handler frees it in a child.
   Context: any but a handler for the start. */
#include <errno.h>

#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/self/intervals.h"

BBP_PUBLIC int bbprof_intervals_start (int keep, int by);
BBP_PUBLIC int bbprof_intervals (int tid, struct bbprof_interval *, int n);
BBP_PUBLIC int bbprof_intervals_stop (void);

enum { USUAL_KEEP = 256, MOST_KEEP = 1 << 20 };

/* The pid of the process in which a thread uses all this; 0: none.  That of another process:
   this one was forked meanwhile. */
static int user;

/* BBPROF_BY_...; 0: off.  PID: of the process that observes itself. */
static struct {
  int by, pid;
} observed;

/* All signals are blocked while a thread has it. */
static bbp_sigset
begin_use (void)
{
  bbp_sigset old = bbp_signals_block ();
  int pid = bbp_sys_getpid (), before = 0;
  while (
      !__atomic_compare_exchange_n (&user, &before, pid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    if (before == pid)
      {
        enum { MOMENT_NS = 100000 };
        bbp_sys_futex_for (&user, 0, pid, MOMENT_NS);
        before = 0;
      }
  return old;
}

static void
end_use (bbp_sigset old)
{
  __atomic_store_n (&user, 0, __ATOMIC_RELEASE);
  bbp_signals_restore (old);
}

/* In a child the mappings of the events are not there; the lists are. */
static bool
is_on (void)
{
  return observed.by && observed.pid == bbp_sys_getpid ();
}

/* Also what the parent of this process has left. */
static void
stop (void)
{
  if (observed.by == BBPROF_BY_EVENTS)
    (is_on () ? bbp_interval_events_stop : bbp_interval_events_forget) ();
  if (observed.by)
    bbp_intervals_drop ();
  observed.by = 0;
}

/* BY or -errno. */
static int
start (size_t keep, int by)
{
  stop ();
  int error = bbp_intervals_make (keep) ? 0 : -ENOMEM;
  if (!error)
    error = by == BBPROF_BY_EVENTS ? bbp_interval_events_start () : bbp_interval_polls_start ();
  observed.by = error ? 0 : by;
  observed.pid = bbp_sys_getpid ();
  if (error)
    bbp_intervals_drop ();
  return error ? error : by;
}

int
bbprof_intervals_start (int keep, int by)
{
  if (keep < 0 || keep > MOST_KEEP || by < 0 || by > BBPROF_BY_POLLS)
    return -EINVAL;
  bbp_sigset old = begin_use ();
  int result = is_on () ? -EBUSY : 0;
  size_t kept = keep ? (size_t) keep : USUAL_KEEP;
  if (!result && by != BBPROF_BY_POLLS)
    result = start (kept, BBPROF_BY_EVENTS);
  if (result != BBPROF_BY_EVENTS && result != -EBUSY && by != BBPROF_BY_EVENTS)
    result = start (kept, BBPROF_BY_POLLS);
  end_use (old);
  return result;
}

/* Reads what T waits for; a later call sees that it still slept then. */
static void
ask_why (struct bbp_intervals *t, uint64_t time)
{
  const struct bbprof_interval *now = bbp_intervals_now (t);
  bbp_intervals_know (t, time);
  if (now->state != BBPROF_SLEEPING || (t->why && now->begin <= t->why_time))
    return;
  t->why = bbp_interval_why (t->tid);
  t->why_time = bbp_sys_nanoseconds (CLOCK_MONOTONIC);
}

static int
copy (int tid, struct bbprof_interval *intervals, int n)
{
  const bool by_events = observed.by == BBPROF_BY_EVENTS;
  uint64_t time = by_events ? bbp_interval_events_take () : bbp_interval_polls_take ();
  struct bbp_intervals *t = bbp_intervals_of (tid ? tid : bbp_sys_gettid (), true);
  if (!t)
    return -ESRCH;
  if (by_events && !t->ended)
    ask_why (t, time);
  return bbp_intervals_copy (t, intervals, n, time);
}

int
bbprof_intervals (int tid, struct bbprof_interval *intervals, int n)
{
  if (!is_on ())
    return -EINVAL;
  bbp_sigset old = begin_use ();
  int result = is_on () ? copy (tid, intervals, n) : -EINVAL;
  end_use (old);
  return result;
}

int
bbprof_intervals_stop (void)
{
  if (!is_on ())
    return -EINVAL;
  bbp_sigset old = begin_use ();
  int result = is_on () ? 0 : -EINVAL;
  if (!result)
    stop ();
  end_use (old);
  return result;
}
