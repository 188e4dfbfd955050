/* SPDX-License-Identifier: MIT */
/* The sampler "thread": a kernel timer for each thread, on that thread's CPU clock or on the
   wall clock, with a signal for that thread only.  A late tick stands for all ticks that were
   due since the previous one, so that ticks are time.  The kernel checks timers of CPU time at
   its own ticks, so no faster rate is promised.

   On the wall clock each tick wakes a sleeping thread: with many threads the program could do
   nothing else.  So the handlers measure their cost, and the ticker takes over (sampler.c) where
   that exceeds a share of one processor's time.

   Context: cold, lock held, unless a function says otherwise. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/samplers.h"

/* Identifies a tick, together with the thread's number. */
#define MAGIC 0x62627002UL

static unsigned kept_rate;
static enum bbp_clock kept;

static struct timespec
time_of (uint64_t nanoseconds)
{
  return (struct timespec) { (long) (nanoseconds / 1000000000), (long) (nanoseconds % 1000000000) };
}

static struct sigevent
event_of (const struct bbp_sampled *thread)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = bbp_sampling.signal };
  event.sigev_value.sival_ptr = (void *) (MAGIC << 32 | thread->number);
  event._sigev_un._tid = thread->tid;
  return event;
}

/* Null, or the reason: whether the kernel has such timers. */
static const char *
refuses (enum bbp_clock clock, unsigned rate)
{
  (void) rate;
  struct sigevent event = { .sigev_notify = SIGEV_NONE };
  int timer;
  if (!BBP_POSIX_TIMERS)
    return "is not in this build, which has no POSIX timers";
  switch (bbp_sys_make_timer (clock == BBP_CLOCK_CPU ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC,
                              &event, &timer))
    {
    case 0: bbp_sys_delete_timer (timer); return NULL;
    case -EAGAIN: return "has no more timers (ulimit -i)";
    case -EPERM: return "may not use timers";
    default: return "finds no timers in this kernel";
    }
}

/* Threads that did not enter themselves get ticks only after a scan has found them.  Some thread
   must scan even if all known threads sleep: the main thread.  It must not be any thread.  A
   signal for the process wakes one thread, may be taken by another, and leaves the first one
   with an EINTR that no handler of the library has noticed. */
#define POLL_INTERVAL 100000000 /* nanoseconds of the process's CPU time */
static int scan_timer;          /* timer, plus 1; 0: none */

static void
start_scan_timer (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = bbp_sampling.signal };
  event._sigev_un._tid = bbp_sys_getpid ();
  const struct itimerspec value = { time_of (POLL_INTERVAL), time_of (POLL_INTERVAL) };
  event.sigev_value.sival_ptr = (void *) (MAGIC << 32);
  int timer;
  if (!scan_timer && bbp_sys_make_timer (CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0)
    {
      scan_timer = timer + 1;
      bbp_sys_set_timer (timer, &value, NULL);
    }
}

static unsigned
start (enum bbp_clock clock, unsigned rate)
{
  unsigned most = clock == BBP_CLOCK_CPU ? bbp_sampler_kernel_rate () : 10000;
  if (rate > most)
    rate = most;
  kept_rate = rate;
  kept = clock;
  start_scan_timer ();
  return rate;
}

static void
stop (void)
{
  if (scan_timer)
    bbp_sys_delete_timer (scan_timer - 1);
  scan_timer = 0;
}

static void
forked (void)
{
  scan_timer = 0;
}

static void
thread_begin (struct bbp_sampled *thread)
{
  struct sigevent event = event_of (thread);
  int clock = kept == BBP_CLOCK_CPU ? bbp_sys_thread_clock (thread->tid) : CLOCK_MONOTONIC, timer;
  const struct itimerspec value
      = { time_of (1000000000 / kept_rate), time_of (bbp_sampler_first (kept, kept_rate)) };
  if (thread->timer)
    return;
  long error = bbp_sys_make_timer (clock, &event, &timer);
  if (error == 0)
    {
      thread->timer = timer + 1;
      error = bbp_sys_set_timer (timer, &value, NULL);
    }
  bbp_sampling.partial |= error == -EAGAIN;
  if (error == -EAGAIN)
    bbp_message_once ("some threads are not sampled", "no more timers (ulimit -i)");
}

static void
thread_end (struct bbp_sampled *thread)
{
  if (thread->timer)
    bbp_sys_delete_timer (thread->timer - 1);
  thread->timer = 0;
}

/* Pauses the ticks of the calling thread only, while it does the library's work. */
static void
pause_ticks (bool pause)
{
  static const struct itimerspec none;
  static struct itimerspec left;
  static int paused; /* the timer with the rest LEFT, plus 1; 0: none */
  struct bbp_sampled *thread = bbp_sampled;
  if (pause)
    paused = thread && thread->timer && bbp_sys_set_timer (thread->timer - 1, &none, &left) == 0
                 ? thread->timer
                 : 0;
  else if (paused && thread && thread->timer == paused)
    {
      left.it_value.tv_nsec += left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0;
      bbp_sys_set_timer (paused - 1, &left, NULL);
    }
}

/* Limit: a share of one processor's time, and in each window some time free of charge. */
#define MOST_SHARE 2        /* 1 / the share */
#define WINDOW 1000000000UL /* nanoseconds */
#define FREE 20000000UL     /* nanoseconds */

/* Writers: handlers, atomically. */
static struct {
  uint64_t began; /* CLOCK_MONOTONIC */
  uint64_t spent; /* CPU time of the handlers since then */
  bool over;
} cost;

static void
account (uint64_t spent)
{
  uint64_t now = bbp_clock_now (), began = __atomic_load_n (&cost.began, __ATOMIC_RELAXED);
  if (now - began > WINDOW
      && __atomic_compare_exchange_n (&cost.began, &began, now, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    {
      __atomic_store_n (&cost.spent, 0, __ATOMIC_RELAXED);
      began = now;
    }
  spent = __atomic_add_fetch (&cost.spent, spent, __ATOMIC_RELAXED);
  if (now >= began && spent > FREE + (now - began) / MOST_SHARE)
    __atomic_store_n (&cost.over, true, __ATOMIC_RELAXED);
}

/* The way into a handler and out of it, to another thread and back, takes longer than the
   handler.  A waiting thread has used no other time since its previous handler ended.  For a
   thread that has worked in between, that time is not charged.  Signal. */
#define MOST_WAY 20000UL /* nanoseconds */

static void
collected (void)
{
  struct bbp_sampled *thread = bbp_sampled;
  if (kept != BBP_CLOCK_WALL || bbp_avoid_syscalls || !thread || !thread->entered)
    return;
  uint64_t left = bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID), handler = left - thread->entered;
  uint64_t way = thread->entered - thread->left < MOST_WAY ? thread->entered - thread->left
                                                           : MOST_WAY;
  account (handler + (thread->restart_pc ? way : handler));
  thread->left = left;
}

/* Signal. */
static bool
is_too_costly (void)
{
  return __atomic_load_n (&cost.over, __ATOMIC_RELAXED);
}

/* Signal. */
static unsigned
ticks (const siginfo_t *info)
{
  uint64_t value = (uintptr_t) info->si_value.sival_ptr;
  if (kept == BBP_CLOCK_WALL && !bbp_avoid_syscalls && bbp_sampled)
    bbp_sampled->entered = bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID);
  if (info->si_code != SI_TIMER || value >> 32 != MAGIC)
    return BBP_NO_TICK;
  if ((uint32_t) value == 0)
    {
      bbp_sampled_try_scan ();
      return 0;
    }
  return 1 + (unsigned) info->si_overrun;
}

const struct bbp_sampler bbp_sampler_thread = {
  .name = "thread",
  .per_thread = true,
  .clocks = { true, true },
  .refuses = refuses,
  .start = start,
  .stop = stop,
  .thread_begin = thread_begin,
  .thread_end = thread_end,
  .pause = pause_ticks,
  .forked = forked,
  .ticks = ticks,
  .collected = collected,
  .is_too_costly = is_too_costly,
};
