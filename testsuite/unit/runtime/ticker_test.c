/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the ticker by itself, with a handler that takes longer than the interval, as on a
   slow machine: one-shot leaves the program a full interval between two samples, periodic leaves
   it almost nothing; both count all time. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/samplers.h"
#include "runtime/samplers/ticker.h"
#include "testsuite/unit/own_time.h"

enum { INTERVAL = 40000000, COLLECTING = 60000000, SAMPLES = 14 };

/* Of each sample: the ticker's round that asked for it, and the handler.  Between those the
   machine may have let the thread wait. */
static uint64_t asked[SAMPLES], came[SAMPLES], counted[SAMPLES], ended[SAMPLES];
static volatile unsigned samples, sum;

/* From the end of a sample to the round that asked for the next one; the shortest first. */
static uint64_t pauses[SAMPLES - 1];

static uint64_t
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec;
}

static void
collect_slowly (int number, siginfo_t *info, void *context)
{
  (void) number;
  (void) context;
  uint64_t start = now ();
  unsigned ticks = bbp_sampler_ticker.ticks (info);
  uint64_t then = now ();
  ck_assert_uint_ne (ticks, BBP_NO_TICK);
  while (now () < start + COLLECTING)
    continue;
  if (samples < SAMPLES)
    {
      asked[samples] = bbp_sampled->ticked->asked_at;
      came[samples] = start;
      counted[samples] = then;
      ended[samples++] = now ();
      sum += ticks;
    }
  bbp_sampler_ticker.collected ();
}

static void
sort_pauses (void)
{
  for (int i = 0; i + 1 < SAMPLES; i++)
    {
      uint64_t pause = asked[i + 1] > ended[i] ? asked[i + 1] - ended[i] : 0;
      int k = i;
      for (; k > 0 && pause < pauses[k - 1]; k--)
        pauses[k] = pauses[k - 1];
      pauses[k] = pause;
    }
}

static void
run (bool periodic)
{
  struct sigaction action = { .sa_sigaction = collect_slowly, .sa_flags = SA_SIGINFO | SA_RESTART };
  static struct bbp_sampled self;
  bbp_options.periodic = periodic;
  bbp_sampling.signal = SIGRTMAX - 1;
  bbp_sampling.sampler = &bbp_sampler_ticker;
  sigaction (bbp_sampling.signal, &action, NULL);
  self.tid = gettid ();
  bbp_sampled = bbp_sampled_all = &self;
  uint64_t before = now ();
  bbp_sigset old = bbp_lock ();
  ck_assert_ptr_null (bbp_sampler_ticker.refuses (BBP_CLOCK_WALL, 100));
  ck_assert_ptr_nonnull (bbp_sampler_ticker.refuses (BBP_CLOCK_CPU, 100));
  ck_assert_uint_eq (bbp_sampler_ticker.start (BBP_CLOCK_WALL, 1000000000 / INTERVAL),
                     1000000000 / INTERVAL);
  bbp_sampler_ticker.thread_begin (&self);
  bbp_unlock (old);
  uint64_t start = now ();
  while (samples < SAMPLES && now () < start + 20000000000UL)
    continue;
  old = bbp_lock ();
  bbp_sampler_ticker.thread_end (&self);
  bbp_sampler_ticker.stop ();
  bbp_unlock (old);
  ck_assert_uint_eq (samples, SAMPLES);
  ck_assert_uint_le (sum, (counted[SAMPLES - 1] - before) / INTERVAL + 1);
  ck_assert_uint_ge (sum + 3, (came[SAMPLES - 1] - start) / INTERVAL);
  sort_pauses ();
}

START_TEST (one_shot)
{
  run (false);
  ck_assert_uint_ge (pauses[0], INTERVAL - INTERVAL / 8);
  ck_assert_uint_ge (pauses[SAMPLES / 2], INTERVAL);
}
END_TEST

/* A ticker that has to wait for a processor itself makes some pauses longer. */
START_TEST (periodic)
{
  run (true);
  ck_assert_uint_lt (pauses[SAMPLES / 4], INTERVAL - INTERVAL / 8);
}
END_TEST

/* Another program's signal, and one that was sent to the thread that had the number before. */
START_TEST (others)
{
  siginfo_t info = { .si_code = SI_QUEUE };
  ck_assert_uint_eq (bbp_sampler_ticker.ticks (&info), BBP_NO_TICK);
  info.si_code = SI_TIMER;
  ck_assert_uint_eq (bbp_sampler_ticker.ticks (&info), BBP_NO_TICK);
  run (false);
  info.si_code = SI_QUEUE;
  info.si_value.sival_ptr = bbp_sampled->ticked;
  ck_assert_uint_eq (bbp_sampler_ticker.ticks (&info), 0);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { one_shot }, { periodic }, { others } };
  return own_time_run (UNIT_SUITE ("ticker", UNIT_CASE (tests)));
}
