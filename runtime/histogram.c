/* SPDX-License-Identifier: MIT */
/* Sampled time: the process's CPU timer, its signal handler, and the histogram of the executable's text.

   setitimer's timer ticks for all threads together, and the signal goes to the thread that is running; its resolution
   is the kernel's tick, so that is the rate that is asked for and written down. */
#include <signal.h>

#include "arch.h"
#include "internal.h"
#include "sys.h"

#define BIN_SHIFT 1 /* 2 bytes of text in a bin: gprof's own unit, so no sample is split between functions */

static struct {
  uintptr_t low;
  size_t nbins;
  uint32_t *bins; /* writers: the handlers of all threads, atomically */
  bool enabled;   /* samples go into the histogram; read by the handler */
} histogram;

/* The library's own code (Makefile.am makes the section): what the profiler costs is not the program's time. */
extern const char __start_bbprof_text[], __stop_bbprof_text[];

/* Who wants the timer: the histogram, and profil ().  It runs as long as somebody does.  Lock. */
static int timer_users;

static void
count_sample (uintptr_t pc)
{
  if (!__atomic_load_n (&histogram.enabled, __ATOMIC_ACQUIRE))
    return;
  if (pc - (uintptr_t) __start_bbprof_text < (uintptr_t) (__stop_bbprof_text - __start_bbprof_text))
    {
      __atomic_fetch_add (&bbp.own_samples, 1, __ATOMIC_RELAXED);
      return;
    }
  uintptr_t bin = (pc - histogram.low) >> BIN_SHIFT;
  if (bin < histogram.nbins)
    __atomic_fetch_add (&histogram.bins[bin], 1, __ATOMIC_RELAXED);
}

/* Context: signal. */
static void
on_tick (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  uintptr_t pc = bbp_arch_pc (context);
  if (bbp_arcs_count ())
    count_sample (pc);
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

bool
bbp_histogram_make (uintptr_t low, uintptr_t high)
{
  size_t nbins = (high - low + (1 << BIN_SHIFT) - 1) >> BIN_SHIFT;
  if (histogram.bins && nbins > histogram.nbins)
    {
      bbp_pages_unmap (histogram.bins, histogram.nbins * sizeof *histogram.bins);
      histogram.bins = NULL;
    }
  if (!histogram.bins)
    histogram.bins = bbp_pages_map (nbins * sizeof *histogram.bins);
  histogram.low = low;
  histogram.nbins = histogram.bins ? nbins : 0;
  return histogram.bins != NULL;
}

void
bbp_histogram_enable (bool on)
{
  on = on && histogram.bins;
  if (on == histogram.enabled)
    return;
  __atomic_store_n (&histogram.enabled, on, __ATOMIC_RELEASE);
  bbp_sampler_run (on);
}

void
bbp_histogram_clear (void)
{
  for (size_t i = 0; i < histogram.nbins; i++)
    __atomic_store_n (&histogram.bins[i], 0, __ATOMIC_RELAXED);
}

const uint32_t *
bbp_histogram_bins (size_t *nbins)
{
  *nbins = histogram.nbins;
  return histogram.bins;
}
