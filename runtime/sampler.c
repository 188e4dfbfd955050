/* SPDX-License-Identifier: MIT */
/* The process's CPU timer and the one SIGPROF handler.

   setitimer's timer ticks for all threads together, and the signal goes to the thread that is running; its resolution
   is the kernel's tick, so that is the rate that is asked for and written down. */
#include <signal.h>

#include "arch.h"
#include "internal.h"
#include "sys.h"

/* Who wants the timer: the samples, and profil ().  It runs as long as somebody does.  Lock. */
static int timer_users;

/* It has run at some time, so a tick may be on its way, or wait in a thread that blocks it.  Read in any context. */
static bool ever_ran;

/* What the program has for itself, so that there is no time to sample: the signal's handler, the timer.  Lock. */
static bool signal_taken, timer_taken;

static bool forbidden; /* sandbox.c; lock */

static unsigned pauses; /* that have begun and not ended; lock */

/* What the kernel had no memory to describe has no sender. */
static bool
is_tick (const siginfo_t *info)
{
  return info->si_code > 0 || info->si_pid == 0;
}

/* Context: signal.  If somebody sends the signal, and the program has left it to the default, it is to end. */
void
bbp_on_tick (int number, siginfo_t *info, void *context)
{
  if (!is_tick (info))
    {
      if (!bbp_hold_asked (info, context) && !bbp_sigmask_put_back (info, context))
        bbp_on_fatal (number, info, context);
      return;
    }
  uintptr_t pc = bbp_arch_pc (context);
  bbp_samples_count (pc);
  bbp_profil_sample (pc);
  bbp_live_tick ();
  bbp_checkpoint_tick (context);
}

/* Ticks a second of the kernel, which is what a coarse clock resolves; 100 if it does not tell. */
int
bbp_sampler_rate (void)
{
  static int rate;
  struct timespec tick;
  if (!rate)
    {
      bool known = bbp_sys_clock_resolution (CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0 && tick.tv_nsec > 0;
      rate = known ? (int) (1000000000 / tick.tv_nsec) : 100;
      if (rate < 1 || rate > 1000)
        rate = 100;
    }
  return rate;
}

static void
set_timer (long interval_us)
{
  struct itimerval value = { { 0, interval_us }, { 0, interval_us } };
  bbp_sys_setitimer (ITIMER_PROF, &value, NULL);
}

bool
bbp_sampler_runs (void)
{
  return timer_users > 0 && !signal_taken && !timer_taken && !forbidden;
}

/* Whether SIGPROF, left to its default, is for bbp_on_tick. */
bool
bbp_sampler_stands_in (void)
{
  return ever_ran && !timer_taken && !forbidden;
}

/* Start the timer if it is wanted and the program has no other use for it. */
static void
start (void)
{
  ever_ran |= timer_users > 0;
  if (!bbp_sampler_runs ())
    return;
  signal_taken = !bbp_signal_adopt (SIGPROF);
  if (!signal_taken)
    set_timer (1000000 / bbp_sampler_rate ());
}

/* The handler stays in place when the timer stops: a tick may still be on its way, and would end the program. */
void
bbp_sampler_run (bool run)
{
  timer_users += run ? 1 : -1;
  if (run && timer_users == 1)
    start ();
  else if (!run && timer_users == 0 && !timer_taken)
    set_timer (0);
}

/* A tick that is pending, in a thread that blocks it, would reach who comes next.  If it is no tick, it goes back. */
void
bbp_sampler_drop_tick (void)
{
  bbp_sigset old = bbp_signals_block (), wanted = 1UL << (SIGPROF - 1);
  siginfo_t info;
  if (bbp_sys_take_pending (&wanted, &info) == SIGPROF && !is_tick (&info))
    bbp_sigmask_give_back (&info);
  bbp_signals_restore (old);
}

/* WORD says why the timer must not run: it, and a pending tick, is gone when that is set. */
static void
prevent (bool *word, bool value)
{
  bbp_sigset old = bbp_lock ();
  if (value && bbp_sampler_runs ())
    {
      set_timer (0);
      bbp_sampler_drop_tick ();
    }
  if (value != *word)
    {
      *word = value;
      start ();
    }
  bbp_unlock (old);
}

void
bbp_sampler_take_signal (bool taken)
{
  prevent (&signal_taken, taken);
}

void
bbp_sampler_forbid (bool forbid)
{
  prevent (&forbidden, forbid);
}

/* The program has set the timer, to something or to nothing; BEFORE, if it asked, is not to be ours. */
void
bbp_sampler_take_timer (bool taken, struct itimerval *before)
{
  bbp_sigset old = bbp_lock ();
  bool ran = bbp_sampler_runs ();
  timer_taken = taken;
  if (ran && before)
    *before = (struct itimerval) { 0 };
  if (ran && taken)
    {
      bbp_sampler_drop_tick ();
      bbp_signal_adopt (SIGPROF);
    }
  start ();
  bbp_unlock (old);
}

/* While the lock is held for long, with all signals blocked, the kernel would give the ticks of the holder to others, and cut
   their sleep short.  What is left of the interval goes on afterwards.  May be nested; true: it was not. */
bool
bbp_sampler_pause (bool pause)
{
  static const struct itimerval none;
  static struct itimerval left;
  static bool ran;
  if (pause ? pauses++ : --pauses)
    return false;
  if (pause)
    ran = bbp_sampler_runs () && bbp_sys_setitimer (ITIMER_PROF, &none, &left) == 0;
  else if (ran && bbp_sampler_runs ())
    {
      left.it_value.tv_usec += left.it_value.tv_usec == 0; /* 0 would stop it */
      bbp_sys_setitimer (ITIMER_PROF, &left, NULL);
    }
  return true;
}

bool
bbp_sampler_is_paused (void)
{
  return pauses > 0;
}

/* In a forked child, which does not inherit any timer. */
void
bbp_sampler_forked (void)
{
  pauses = 0;
  timer_taken = false;
  start ();
}
