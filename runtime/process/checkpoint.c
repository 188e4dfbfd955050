/* SPDX-License-Identifier: MIT */
/* checkpoint=SECONDS: the profile is written again and again while the program runs, at the
   first tick of the sampler's timer after that time, by the thread that it hits.  So there is no
   thread and no timer more, and a program that burns no CPU time, and has nothing new to write,
   is left alone.  Where the ticker counts the time of sleepers, it wakes one of them for that
   (ticker_round.c).  While the lock is held, by whomever, the next tick will do: the holder may
   wait for something that the interrupted thread has. */
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"

/* When it is time.  Writer: who holds the lock; read by all ticks. */
static uint64_t due;

static uint64_t
now (void)
{
  return bbp_clock_now ();
}

static void
set_due (void)
{
  __atomic_store_n (&due, now () + bbp_options.checkpoint * 1000000000UL, __ATOMIC_RELAXED);
}

/* The tick is wanted also while nothing is sampled: what was counted before the stop is still to
   be written. */
void
bbp_checkpoint_run (bool run)
{
  if (!bbp_options.checkpoint)
    return;
  set_due ();
  bbp_sampler_run (run);
}

uint64_t
bbp_checkpoint_due (void)
{
  return __atomic_load_n (&due, __ATOMIC_RELAXED);
}

void
bbp_checkpoint_tick (const void *context)
{
  bbp_sigset old;
  if (!bbp_options.checkpoint || now () < __atomic_load_n (&due, __ATOMIC_RELAXED)
      || !bbp_lock_try (&old))
    return;
  if (now () >= due)
    {
      bbp_thread_interrupt (context);
      bbp.provisional = true;
      bbp_dump_in_handler ();
      bbp.provisional = false;
      bbp_thread_interrupt (NULL);
      set_due ();
    }
  bbp_unlock (old);
}
