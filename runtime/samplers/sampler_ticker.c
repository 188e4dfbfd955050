/* SPDX-License-Identifier: MIT */
/* The sampler "ticker": a thread of the library visits all others at regular times, and sends
   signals to those that must take a sample.  A sleeping thread is disturbed at most once in its
   sleep.  For a running thread the ticker sets a timer of its CPU clock, which the kernel checks
   at its own ticks.  The signal comes where a system call ends, so that it ends none early.
   Without timers the ticker sends the signal itself, which may do that.

   It samples wall time.  For CPU time each sample must be weighted by what the thread has used
   since its previous one; that is done only on the user's request.

   Context: cold, lock held, unless a function says otherwise. */
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/samplers.h"
#include "runtime/samplers/ticker.h"

struct bbp_ticked *bbp_ticked_all;
struct bbp_ticker bbp_ticker;

#define MOST_RATE 10000

/* Signals with a value are queued; the kernel drops them if the user's limit of pending signals
   is 0. */
static bool
may_queue (void)
{
  struct rlimit limit;
  return bbp_sys_limit (RLIMIT_SIGPENDING, &limit) != 0 || limit.rlim_cur > 0;
}

static const char *
refuses (enum bbp_clock clock, unsigned rate)
{
  (void) rate;
  struct bbp_poll_files files = { 0 };
  struct bbp_sleep sleep;
  int tid = bbp_sys_gettid ();
  if (clock == BBP_CLOCK_CPU && !bbp_options.weighted)
    return "samples wall time (clock=wall), or CPU time if samples are weighed (weighted=1)";
  if (!may_queue ())
    return "may queue no signals (ulimit -i)";
  bool counts = bbp_poll_switches (&files, tid) > 0,
       readable = bbp_poll_thread (&files, tid, &sleep) != BBP_GONE_AWAY;
  bbp_poll_close (&files);
  if (!readable)
    return "finds no /proc/self/task";
  return counts ? NULL : "finds no count of switches (/proc/self/schedstat)";
}

/* 0: not available. */
static int
make_timer (struct bbp_ticked *ticked, int tid)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = bbp_sampling.signal };
  int timer;
  event.sigev_value.sival_ptr = ticked;
  event._sigev_un._tid = tid;
  return bbp_sys_make_timer (bbp_sys_thread_clock (tid), &event, &timer) == 0 ? timer + 1 : 0;
}

static void
thread_begin (struct bbp_sampled *thread)
{
  struct bbp_ticked *ticked = thread->ticked;
  if (!ticked)
    {
      ticked = bbp_pages_map (sizeof *ticked);
      if (!ticked)
        return;
      ticked->thread = thread;
      ticked->next = bbp_ticked_all;
      thread->ticked = ticked;
      __atomic_store_n (&bbp_ticked_all, ticked, __ATOMIC_RELEASE);
    }
  if (ticked->tid == thread->tid)
    return;
  ticked->owed = ticked->owed_at_work = 0;
  ticked->asked = BBP_NOT_ASKED;
  ticked->answered = 0;
  ticked->reported_node = 0;
  ticked->timer = make_timer (ticked, thread->tid);
  ticked->life++;
  thread->accounted = bbp_sys_nanoseconds (bbp_sys_thread_clock (thread->tid));
  __atomic_store_n (&ticked->tid, thread->tid, __ATOMIC_RELEASE);
}

static void
thread_end (struct bbp_sampled *thread)
{
  struct bbp_ticked *ticked = thread->ticked;
  if (!ticked)
    return;
  __atomic_store_n (&ticked->tid, 0, __ATOMIC_RELEASE);
  if (ticked->timer)
    bbp_sys_delete_timer (ticked->timer - 1);
  ticked->timer = 0;
}

static unsigned
start (enum bbp_clock clock, unsigned rate)
{
  bbp_ticker.clock = clock;
  bbp_ticker.rate = rate < MOST_RATE ? rate : MOST_RATE;
  bbp_ticker.interval = 1000000000 / bbp_ticker.rate;
  bbp_ticker.paused = false;
  return bbp_ticker_run () == 0 ? bbp_ticker.rate : 0;
}

static void
stop (void)
{
  bbp_ticker_rest ();
}

/* The library's own long work is not the program's time. */
static void
pause_rounds (bool pause)
{
  __atomic_store_n (&bbp_ticker.paused, pause, __ATOMIC_RELEASE);
}

/* The descriptors were those of the parent's ticker, and timers are not inherited. */
static void
forked (void)
{
  for (struct bbp_ticked *ticked = bbp_ticked_all; ticked; ticked = ticked->next)
    {
      ticked->tid = ticked->timer = 0;
      ticked->files = (struct bbp_poll_files) { 0 };
    }
  bbp_ticker_forked ();
}

/* OWN: of the calling thread, or null.  Signal. */
static bool
is_ours (const siginfo_t *info, const struct bbp_ticked *own)
{
  if (info->si_code != SI_QUEUE && info->si_code != SI_TIMER)
    return false;
  if (own && own == info->si_value.sival_ptr)
    return true;
  const struct bbp_ticked *ticked = __atomic_load_n (&bbp_ticked_all, __ATOMIC_ACQUIRE);
  while (ticked && ticked != info->si_value.sival_ptr)
    ticked = ticked->next;
  return ticked;
}

/* Signal.  A signal that was meant for an earlier thread with the same tid counts as no tick. */
static unsigned
ticks (const siginfo_t *info)
{
  struct bbp_sampled *thread = bbp_sampled_self ();
  struct bbp_ticked *ticked = thread ? thread->ticked : NULL;
  if (!is_ours (info, ticked))
    return BBP_NO_TICK;
  if (!ticked || ticked != info->si_value.sival_ptr || !ticked->tid)
    return 0;
  ticked->by_timer = info->si_code == SI_TIMER;
  if (bbp_ticker.clock == BBP_CLOCK_CPU)
    return bbp_sampled_due (thread, bbp_ticker.rate, true);
  return __atomic_exchange_n (ticked->by_timer ? &ticked->owed_at_work : &ticked->owed, 0,
                              __ATOMIC_RELAXED);
}

/* Signal. */
static void
collected (void)
{
  struct bbp_ticked *ticked = bbp_sampled ? bbp_sampled->ticked : NULL;
  if (!ticked)
    return;
  if (!ticked->by_timer)
    __atomic_store_n (&ticked->reported_node, bbp_sampled->last, __ATOMIC_RELAXED);
  __atomic_store_n (&ticked->answered, bbp_ticker_now (), __ATOMIC_RELAXED);
  __atomic_store_n (&ticked->asked, BBP_NOT_ASKED, __ATOMIC_RELEASE);
}

const struct bbp_sampler bbp_sampler_ticker = {
  .name = "ticker",
  .per_thread = true,
  .clocks = { true, true },
  .refuses = refuses,
  .start = start,
  .own_thread = bbp_ticker_tid,
  .stop = stop,
  .thread_begin = thread_begin,
  .thread_end = thread_end,
  .pause = pause_rounds,
  .forked = forked,
  .ticks = ticks,
  .collected = collected,
};
