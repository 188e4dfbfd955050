/* SPDX-License-Identifier: MIT */
/* The sampler "itimer": one timer of the CPU time of the whole process, and SIGPROF, which the
   kernel sends to the running thread.  Its resolution is the kernel tick.

   It uses a POSIX timer of the process's CPU clock, which counts what the scheduler charges.  A
   late signal says how many ticks were due, so that ticks are time.  Kernels before 6.4 would
   send its signal to the main thread, asleep or not.  There, and where no such timer is
   available, it uses setitimer.  That timer counts the threads that the kernel finds running at
   its own ticks.  On a busy machine this is more or less than was charged, and the dump corrects
   the sum (sample_table.c).

   sampler.c handles the program's own use of setitimer's timer and the signal.  Context: cold,
   lock held, unless a function says otherwise. */
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/samplers.h"

/* Identifies the POSIX timer's signal. */
#define MAGIC (0x62627003UL << 32)

static int timer;     /* the POSIX timer, plus 1; 0: none */
static bool no_timer; /* the program has given up the necessary system calls */

static void
set_itimer (long first_us, long interval_us)
{
  struct itimerval value = { { interval_us / 1000000, interval_us % 1000000 },
                             { first_us / 1000000, first_us % 1000000 } };
  bbp_sys_setitimer (ITIMER_PROF, &value, NULL);
}

/* True if the kernel, "6.4.0-...", sends the signal of a process's timer to the running thread. */
static bool
kernel_prefers_runner (void)
{
  struct utsname names;
  unsigned version[2] = { 0, 0 };
  if (bbp_sys_uname (&names) != 0)
    return false;
  const char *p = names.release;
  for (int i = 0; i < 2; i++, p += *p == '.')
    for (; *p >= '0' && *p <= '9' && version[i] < 1000; p++)
      version[i] = version[i] * 10 + (unsigned) (*p - '0');
  return version[0] > 6 || (version[0] == 6 && version[1] >= 4);
}

static bool
make_timer (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = bbp_sampling.signal };
  int made;
  event.sigev_value.sival_ptr = (void *) MAGIC;
  if (!timer && !no_timer && kernel_prefers_runner ()
      && bbp_sys_make_timer (CLOCK_PROCESS_CPUTIME_ID, &event, &made) == 0)
    timer = made + 1;
  return timer;
}

static unsigned
start (enum bbp_clock clock, unsigned rate)
{
  unsigned kernel_rate = bbp_sampler_kernel_rate ();
  if (rate > kernel_rate)
    rate = kernel_rate;
  long interval = 1000000000 / (long) rate,
       first = bbp_sampling.threads ? (long) bbp_sampler_first (clock, rate) : interval;
  const struct itimerspec value = { { interval / 1000000000, interval % 1000000000 },
                                    { first / 1000000000, first % 1000000000 } };
  if (make_timer ())
    bbp_sys_set_timer (timer - 1, &value, NULL);
  else
    set_itimer ((first + 999) / 1000, interval / 1000);
  return rate;
}

static void
stop (void)
{
  if (timer)
    bbp_sys_delete_timer (timer - 1);
  else
    set_itimer (0, 0);
  timer = 0;
}

static void
forked (void)
{
  timer = 0;
}

/* While the holder of the lock blocks all signals for long, the kernel would send its ticks to
   other threads, and end their sleep early.  The rest of the interval continues afterwards. */
static void
pause_timer (bool pause)
{
  static const struct itimerspec none;
  static struct itimerspec left;
  static bool ran;
  if (pause)
    ran = bbp_sys_set_timer (timer - 1, &none, &left) == 0
          && (left.it_interval.tv_sec || left.it_interval.tv_nsec);
  else if (ran)
    {
      /* 0 would stop it. */
      left.it_value.tv_nsec += left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0;
      bbp_sys_set_timer (timer - 1, &left, NULL);
    }
}

static void
pause_itimer (bool pause)
{
  static const struct itimerval none;
  static struct itimerval left;
  static bool ran;
  if (pause)
    ran = bbp_sys_setitimer (ITIMER_PROF, &none, &left) == 0
          && (left.it_interval.tv_sec || left.it_interval.tv_usec);
  else if (ran)
    {
      left.it_value.tv_usec += left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0;
      bbp_sys_setitimer (ITIMER_PROF, &left, NULL);
    }
}

static void
pause_ticks (bool pause)
{
  if (timer)
    pause_timer (pause);
  else
    pause_itimer (pause);
}

/* Signals of setitimer come from the kernel.  A signal that the kernel had no memory to describe
   has no sender.  Signal. */
static unsigned
ticks (const siginfo_t *info)
{
  if (info->si_code == SI_TIMER)
    return info->si_value.sival_ptr == (void *) MAGIC ? 1 + (unsigned) info->si_overrun
                                                      : BBP_NO_TICK;
  return info->si_code > 0 || info->si_pid == 0 ? 1 : BBP_NO_TICK;
}

static void
confine (void)
{
  no_timer = true;
}

const struct bbp_sampler bbp_sampler_itimer = {
  .name = "itimer",
  .clocks = { [BBP_CLOCK_CPU] = true },
  .start = start,
  .confine = confine,
  .stop = stop,
  .pause = pause_ticks,
  .forked = forked,
  .ticks = ticks,
};
