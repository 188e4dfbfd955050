/* SPDX-License-Identifier: MIT */
/* The sampler "itimer": setitimer's timer of CPU time, and SIGPROF.  It ticks for all threads together, and the signal goes to
   the thread that is running; its resolution is the kernel's tick.  What the program does with the same timer and the same
   signal: sampler.c.  Context: cold, lock held. */
#include "sampling.h"
#include "sys.h"

static void
set_timer (long first_us, long interval_us)
{
  struct itimerval value = { { interval_us / 1000000, interval_us % 1000000 }, { first_us / 1000000, first_us % 1000000 } };
  bbp_sys_setitimer (ITIMER_PROF, &value, NULL);
}

static unsigned
start (enum bbp_clock clock, unsigned rate)
{
  unsigned kernel_rate = bbp_sampler_kernel_rate ();
  if (rate > kernel_rate)
    rate = kernel_rate;
  long interval = 1000000 / (long) rate;
  set_timer (bbp_sampling.threads ? (long) (bbp_sampler_first (clock, rate) + 999) / 1000 : interval, interval);
  return rate;
}

static void
stop (void)
{
  set_timer (0, 0);
}

/* With all signals blocked for long, the kernel would give the ticks of the holder of the lock to others, and cut their
   sleep short.  What is left of the interval goes on afterwards. */
static void
pause_ticks (bool pause)
{
  static const struct itimerval none;
  static struct itimerval left;
  static bool ran;
  if (pause)
    ran = bbp_sys_setitimer (ITIMER_PROF, &none, &left) == 0 && (left.it_interval.tv_sec || left.it_interval.tv_usec);
  else if (ran)
    {
      left.it_value.tv_usec += left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0; /* 0 would stop it */
      bbp_sys_setitimer (ITIMER_PROF, &left, NULL);
    }
}

/* What the kernel had no memory to describe has no sender. */
static unsigned
ticks (const siginfo_t *info)
{
  return info->si_code > 0 || info->si_pid == 0 ? 1 : BBP_NO_TICK;
}

const struct bbp_sampler bbp_sampler_itimer = {
  .name = "itimer",
  .clocks = { [BBP_CLOCK_CPU] = true },
  .start = start,
  .stop = stop,
  .pause = pause_ticks,
  .ticks = ticks,
};
