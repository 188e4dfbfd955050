/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the queue of timers against a plain list that is searched from end to end, with a
   clock that the test sets; and of the ways to wait, each one with those before it disabled. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/samplers/timer_queue.h"
#include "runtime/samplers/timer_wait.h"
#include "testsuite/seam/seam.h"
#include "testsuite/unit/unit.h"

enum { TIMERS = 10000 };

static struct bbp_timer timers[TIMERS];
static struct bbp_timer *list[TIMERS];
static struct bbp_timer_queue queue = { .list = list, .room = TIMERS };

/* The plain list: when each is due, UINT64_MAX: it is not in the queue. */
static uint64_t model[TIMERS];

static uint64_t fired, latest;
static bool again;

/* Each at its time, none before an earlier one. */
static void
fire (struct bbp_timer *timer, uint64_t now)
{
  size_t i = (size_t) (timer - timers);
  ck_assert_uint_eq (model[i], timer->due);
  ck_assert_uint_le (timer->due, now);
  ck_assert_uint_ge (timer->due, latest);
  latest = timer->due;
  model[i] = UINT64_MAX;
  fired++;
  if (again && timer->due + 7 + i % 90 < UINT64_MAX)
    {
      model[i] = timer->due + 7 + i % 90;
      ck_assert (bbp_timers_put (&queue, timer, model[i]));
    }
}

static void
setup (void)
{
  memset (timers, 0, sizeof timers);
  memset (model, 0xff, sizeof model);
  queue.n = fired = latest = 0;
  again = false;
  for (size_t i = 0; i < TIMERS; i++)
    timers[i].action = fire;
  srandom (12345);
}

static void
put (size_t i, uint64_t due)
{
  model[i] = due;
  ck_assert (bbp_timers_put (&queue, &timers[i], due));
}

/* The earliest of the plain list, and how many there are up to NOW. */
static uint64_t
earliest (uint64_t now, size_t *due)
{
  uint64_t found = UINT64_MAX;
  *due = 0;
  for (size_t i = 0; i < TIMERS; i++)
    {
      found = model[i] < found ? model[i] : found;
      *due += model[i] <= now;
    }
  return found;
}

START_TEST (all_in_order)
{
  for (size_t i = 0; i < TIMERS; i++)
    put (i, (uint64_t) random () % 5000);
  ck_assert_uint_eq (bbp_timers_run (&queue, 5000), TIMERS);
  ck_assert_uint_eq (fired, TIMERS);
  ck_assert_uint_eq (bbp_timers_due (&queue), UINT64_MAX);
}
END_TEST

/* Put, moved, removed and run at random. */
START_TEST (as_the_list)
{
  uint64_t now = 0;
  for (int step = 0; step < 20000; step++)
    {
      size_t i = (size_t) random () % 1000, due;
      switch (random () % 8)
        {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: put (i, now + (uint64_t) random () % 1000); break;
        case 5:
        case 6:
          bbp_timers_remove (&queue, &timers[i]);
          model[i] = UINT64_MAX;
          break;
        default:
          now += (uint64_t) random () % 50;
          ck_assert_uint_eq (bbp_timers_due (&queue), earliest (now, &due));
          latest = 0;
          ck_assert_uint_eq (bbp_timers_run (&queue, now), due);
        }
    }
  ck_assert_uint_gt (fired, 1000);
}
END_TEST

/* Intervals: an action puts its timer in again, and what is due by then runs as well. */
START_TEST (intervals)
{
  again = true;
  put (0, 7);  /* every 7 */
  put (3, 10); /* every 10 */
  ck_assert_uint_eq (bbp_timers_run (&queue, 70), 17);
  ck_assert_uint_eq (bbp_timers_due (&queue), 77);
}
END_TEST

START_TEST (no_room)
{
  struct bbp_timer *one[1], a = { .action = fire }, b = a;
  struct bbp_timer_queue small = { .list = one, .room = 1 };
  ck_assert (bbp_timers_put (&small, &a, 5));
  ck_assert (!bbp_timers_put (&small, &b, 4));
  ck_assert (bbp_timers_put (&small, &a, 3));
  bbp_timers_remove (&small, &b);
  ck_assert_uint_eq (bbp_timers_due (&small), 3);
}
END_TEST

static uint64_t
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec;
}

/* Never too early; and at once if the word has changed. */
static void
wait_by (struct bbp_waiter *waiter, unsigned way)
{
  int word = 1;
  uint64_t until = now () + 3000000;
  ck_assert (bbp_wait_until (waiter, until, &word, 1));
  ck_assert_uint_ge (now (), until);
  ck_assert_uint_eq (waiter->way, way);
  ck_assert (bbp_wait_until (waiter, now () + 3600 * 1000000000UL, &word, 2));
}

START_TEST (by_futex)
{
  wait_by (&(struct bbp_waiter) { 0 }, 0);
}
END_TEST

START_TEST (by_sleep)
{
  struct bbp_waiter waiter = { 0 };
  bbp_seam_plan (SYS_futex, 1, true, ENOSYS);
  wait_by (&waiter, 1);
}
END_TEST

START_TEST (by_timerfd)
{
  struct bbp_waiter waiter = { .way = 1 };
  bbp_seam_plan (SYS_clock_nanosleep, 1, true, ENOSYS);
  wait_by (&waiter, 2);
}
END_TEST

START_TEST (by_nothing)
{
  int word = 1;
  struct bbp_waiter waiter = { .way = 2 };
  bbp_seam_plan (SYS_timerfd_create, 1, true, EPERM);
  ck_assert (!bbp_wait_until (&waiter, now () + 1000, &word, 1));
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { all_in_order }, { as_the_list }, { intervals },
                                     { no_room },      { by_futex },    { by_sleep },
                                     { by_timerfd },   { by_nothing } };
  return unit_run (UNIT_SUITE ("timers", UNIT_CASE (tests, .set_up = setup)));
}
