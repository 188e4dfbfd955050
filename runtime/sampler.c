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

/* Context: signal. */
static void
on_tick (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  uintptr_t pc = bbp_arch_pc (context);
  if (bbp_arcs_count ())
    bbp_samples_count (pc);
  bbp_profil_sample (pc);
  bbp_checkpoint_tick ();
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

/* The handler stays in place when the timer stops: a tick may still be on its way, and would end the program. */
void
bbp_sampler_run (bool run)
{
  timer_users += run ? 1 : -1;
  if (run && timer_users == 1)
    {
      struct sigaction action = { .sa_sigaction = on_tick, .sa_flags = SA_RESTART | SA_SIGINFO };
      sigfillset (&action.sa_mask);
      if (__sigaction (SIGPROF, &action, NULL) == 0)
        set_timer (1000000 / bbp_sampler_rate ());
    }
  else if (!run && timer_users == 0)
    set_timer (0);
}

/* Whether the tick is ours to stop, and by which ACTION it is handled. */
bool
bbp_sampler_owns (struct sigaction *action)
{
  return timer_users > 0 && __sigaction (SIGPROF, NULL, action) == 0 && (action->sa_flags & SA_SIGINFO)
         && action->sa_sigaction == on_tick;
}

/* In a forked child, which does not inherit the timer. */
void
bbp_sampler_forked (void)
{
  if (timer_users > 0)
    set_timer (1000000 / bbp_sampler_rate ());
}
