/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the library's waiting on BSD, with a kqueue made by the test that has a clock of its
   own.  A wait ends at its time, to the nanosecond, or when it is ended early; also where one of
   these systems lacks a feature, and after a program closed or reused descriptors that it does
   not own. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/samplers/timer_kqueue.c"
#include "testsuite/unit/unit.h"

/* The fake: two events of one queue, what fails, and what comes between. */
static struct {
  uint64_t now;
  int opened;     /* the queue's descriptor; -1: none is open */
  unsigned times; /* that one was */
  bool has_waking, triggered, has_timer;
  uint64_t timer;                   /* due */
  bool no_queue, no_user, no_timer; /* refused */
  bool no_limit;                    /* kevent with a time limit fails, too */
  unsigned interrupts, closed;      /* so many calls that wait fail with EINTR, or EBADF */
  uint64_t change_at;               /* then the word changes, and the wait is ended; 0: never */
  unsigned waits, by_timer;
} fake;

static struct bbp_waiter waiter;
static int word;

uint64_t
bbp_clock_now (void)
{
  return fake.now;
}

int
kqueue (void)
{
  errno = ENFILE;
  if (fake.no_queue)
    return -1;
  ck_assert_int_eq (fake.opened, -1);
  fake.opened = open ("/dev/null", O_RDONLY);
  fake.times++;
  fake.has_waking = fake.triggered = fake.has_timer = false;
  return fake.opened;
}

static void
close_queue (void)
{
  close (fake.opened);
  fake.opened = -1;
}

/* 0 or the number of an error. */
static int
change (const struct kevent *c)
{
  if (c->filter == EVFILT_USER && (c->flags & EV_ADD))
    {
      ck_assert (c->flags & EV_CLEAR);
      fake.has_waking = !fake.no_user;
      return fake.no_user ? EINVAL : 0;
    }
  if (c->filter == EVFILT_USER)
    {
      ck_assert_uint_eq (c->fflags, NOTE_TRIGGER);
      fake.triggered |= fake.has_waking;
      return fake.has_waking ? 0 : ENOENT;
    }
  ck_assert_int_eq (c->filter, EVFILT_TIMER);
  ck_assert_uint_eq (c->flags, EV_ADD | EV_ONESHOT);
  ck_assert_uint_eq (c->fflags, NOTE_NSECONDS);
  ck_assert_int_gt (c->data, 0);
  fake.has_timer = !fake.no_timer;
  fake.timer = fake.now + (uint64_t) c->data;
  return fake.no_timer ? EINVAL : 0;
}

static int
refuse (int error)
{
  errno = error;
  return -1;
}

int
kevent (int queue, const struct kevent *changes, int nchanges, struct kevent *events, int nevents,
        const struct timespec *limit)
{
  if (queue != fake.opened || queue < 0)
    return refuse (EBADF);
  for (int i = 0; i < nchanges; i++)
    {
      int error = change (&changes[i]);
      if (error && nevents == 0)
        return refuse (error);
      if (error)
        {
          events[0] = changes[i];
          events[0].flags = EV_ERROR;
          events[0].data = error;
          return 1;
        }
    }
  if (nevents == 0)
    return 0;
  fake.waits++;
  fake.by_timer += !limit;
  if (fake.interrupts && fake.interrupts--)
    return refuse (EINTR);
  if (limit && fake.no_limit)
    return refuse (EINVAL);
  if (fake.closed && fake.closed--)
    {
      close_queue ();
      return refuse (EBADF);
    }
  uint64_t end = limit
                     ? fake.now + (uint64_t) limit->tv_sec * 1000000000 + (uint64_t) limit->tv_nsec
                     : UINT64_MAX;
  uint64_t timer = fake.has_timer ? fake.timer : UINT64_MAX, first = end < timer ? end : timer;
  ck_assert_uint_ne (first, UINT64_MAX); /* a wait for ever */
  if (fake.change_at && fake.change_at <= first)
    {
      fake.now = fake.change_at > fake.now ? fake.change_at : fake.now;
      fake.change_at = 0;
      word++;
      bbp_wait_end (&waiter, &word);
    }
  if (fake.triggered)
    {
      fake.triggered = false;
      events[0] = (struct kevent) { .filter = EVFILT_USER };
      return 1;
    }
  fake.now = first;
  fake.has_timer = fake.has_timer && first < timer;
  events[0] = (struct kevent) { .filter = EVFILT_TIMER };
  return first == timer;
}

static void
setup (void)
{
  fake = (typeof (fake)) { .now = 5000000000, .opened = -1 };
  waiter = (struct bbp_waiter) { 0 };
  word = 1;
}

/* As the library's thread does: again and again until it is time, or the word has changed. */
static bool
wait_all (uint64_t until)
{
  for (int i = 0; fake.now < until && word == 1; i++)
    {
      ck_assert_int_lt (i, 100);
      if (!bbp_wait_until (&waiter, until, &word, 1))
        return false;
    }
  return true;
}

START_TEST (at_its_moment)
{
  for (uint64_t until = fake.now + 1; until < fake.now + 20000000000UL; until = until * 3 / 2)
    {
      ck_assert (wait_all (until));
      ck_assert_uint_eq (fake.now, until);
    }
  ck_assert_uint_eq (fake.times, 1);
  ck_assert_uint_eq (fake.by_timer, fake.waits);
  ck_assert_int_eq (fcntl (fake.opened, F_GETFD), FD_CLOEXEC);
}
END_TEST

/* A moment that is past, or a word that has changed already: no wait at all. */
START_TEST (at_once)
{
  ck_assert (bbp_wait_until (&waiter, fake.now, &word, 1));
  ck_assert (bbp_wait_until (&waiter, 1, &word, 1));
  ck_assert (bbp_wait_until (&waiter, UINT64_MAX, &word, 2));
  ck_assert_uint_eq (fake.waits, 0);
}
END_TEST

/* For ever, until it is ended: the same moment. */
START_TEST (ended)
{
  fake.change_at = fake.now + 123456789;
  ck_assert (bbp_wait_until (&waiter, UINT64_MAX, &word, 1));
  ck_assert_uint_eq (fake.now, 5123456789);
  ck_assert_int_eq (word, 2);
}
END_TEST

/* Between the look at the word and the wait: the event stays until it is taken. */
START_TEST (ended_before)
{
  ck_assert (wait_all (fake.now + 10));
  fake.change_at = 1;
  uint64_t before = fake.now;
  ck_assert (wait_all (UINT64_MAX));
  ck_assert_uint_eq (fake.now, before);
}
END_TEST

/* Nobody has waited yet: there is nothing to wake. */
START_TEST (ended_early)
{
  bbp_wait_end (&waiter, &word);
  ck_assert_uint_eq (fake.times, 0);
}
END_TEST

START_TEST (interrupted)
{
  fake.interrupts = 3;
  uint64_t until = fake.now + 1000000;
  ck_assert (wait_all (until));
  ck_assert_uint_eq (fake.now, until);
  ck_assert_uint_eq (fake.waits, 4);
}
END_TEST

/* Without events of one's own the word is looked at twenty times a second. */
START_TEST (no_user_events)
{
  fake.no_user = true;
  uint64_t until = fake.now + 220000000;
  ck_assert (wait_all (until));
  ck_assert_uint_eq (fake.now, until);
  ck_assert_uint_eq (fake.waits, 5);
  fake.change_at = fake.now + 60000000;
  until = fake.now + 1000000000;
  ck_assert (wait_all (until));
  ck_assert_uint_le (fake.now, until - 1000000000 + 100000000);
}
END_TEST

START_TEST (no_timers)
{
  fake.no_timer = true;
  uint64_t until = fake.now + 3000000001;
  ck_assert (wait_all (until));
  ck_assert_uint_eq (fake.now, until);
  ck_assert_uint_eq (waiter.way, BY_LIMIT);
  ck_assert_uint_eq (fake.by_timer, 0);
  fake.change_at = fake.now + 5;
  ck_assert (wait_all (until + 1000));
  ck_assert_uint_eq (fake.now, until + 5);
}
END_TEST

START_TEST (descriptor_is_closed)
{
  fake.closed = 1;
  uint64_t until = fake.now + 1000;
  ck_assert (wait_all (until));
  ck_assert_uint_eq (fake.now, until);
  ck_assert_uint_eq (fake.times, 2);
  close_queue (); /* while nobody waits */
  until = fake.now + 1000;
  ck_assert (wait_all (until));
  ck_assert_uint_eq (fake.now, until);
  ck_assert_uint_eq (fake.times, 3);
}
END_TEST

START_TEST (nothing_works)
{
  fake.no_queue = true;
  ck_assert (!bbp_wait_until (&waiter, fake.now + 1, &word, 1));
  fake.no_queue = false;
  fake.no_timer = fake.no_limit = true;
  ck_assert (!bbp_wait_until (&waiter, fake.now + 1, &word, 1));
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { at_its_moment },  { at_once },     { ended },
                                     { ended_before },   { ended_early }, { interrupted },
                                     { no_user_events }, { no_timers },   { descriptor_is_closed },
                                     { nothing_works } };
  return unit_run (UNIT_SUITE ("kqueue", UNIT_CASE (tests, .set_up = setup)));
}
