/* SPDX-License-Identifier: MIT */
/* checkpoint=SECONDS: the profile is written at regular intervals.  The first tick of the sampler
   after that time makes the dump, in the thread that it hits.  So no further thread or timer is
   needed, and a program that uses no CPU time, and so has nothing new to write, is not disturbed.
   If the ticker samples sleeping threads, it wakes one of them for the dump (ticker_round.c).  If
   the lock is held, a later tick makes the dump: the holder may wait for something that the
   interrupted thread has. */
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"

/* CLOCK_MONOTONIC of the next one.  Writer: the holder of the lock; read by all ticks. */
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

/* Ticks are needed also while sampling is off: counts from before the stop are still to be
   written. */
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
