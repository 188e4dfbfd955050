/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of measured callers' shares, with hand-written events. */
#include <stdlib.h>

#include "testsuite/unit/tools/fake_trace.h"
#include "testsuite/unit/unit.h"
#include "tools/report/caller_shares_trace.h"

enum { EASY, HARD, WORK, LEAF, STRANGE }; /* functions of the trace; their nodes are 10 more */

static struct caller_shares shares;
static uint64_t executed[1];

static uint32_t
node (void *context, const struct trace_function *f)
{
  (void) context;
  return f->number == STRANGE ? CALLER_UNKNOWN : f->number + 10;
}

static double
samples (void *context, const struct trace_block *b)
{
  (void) context;
  return b->function->number == LEAF ? 0.5 : 0;
}

/* The last block of EASY ends with one. */
static bool
is_tail_call (void *context, const struct trace_block *from, const struct trace_function *to)
{
  (void) context;
  return from->function->number == EASY && from->index == 1 && to->number == WORK;
}

static struct trace *
make (void)
{
  struct trace *t = fake_open ();
  fake_function (t, "easy", 2, NULL);
  fake_function (t, "hard", 2, NULL);
  fake_function (t, "work", 2, NULL);
  fake_function (t, "leaf", 1, NULL);
  fake_function (t, "strange", 1, NULL);
  fake_thread (t, "main");
  return t;
}

static void
enter (struct trace *t, unsigned function, unsigned depth)
{
  fake_event (t, TRACE_ENTER, function, 0, depth);
  fake_event (t, TRACE_BLOCK, function, 0, depth);
}

static void
leaf (struct trace *t, unsigned depth)
{
  enter (t, LEAF, depth);
  fake_event (t, TRACE_LEAVE, LEAF, 0, depth);
}

static void
add (struct trace *t)
{
  const struct caller_share_lookup lookup = { node, samples, is_tail_call, NULL };
  fake_event (t, TRACE_END, 0, 0, 0);
  executed[0] = 0;
  ck_assert (caller_shares_add_trace (&shares, t, &lookup, executed));
  trace_close (t);
}

/* CALLER is a function of the trace, or CALLER_... */
static void
expect (uint32_t caller, unsigned callee, uint64_t executions, double of_samples)
{
  const struct caller_share *s
      = caller_shares_find (&shares, caller < 10 ? caller + 10 : caller, callee + 10);
  ck_assert (s || executions == 0);
  ck_assert_uint_eq (s ? s->executions : 0, executions);
  ck_assert_double_eq (s ? s->samples : 0, of_samples);
}

static void
teardown (void)
{
  caller_shares_free (&shares);
}

/* Call counts alone would give 50:50. */
START_TEST (easy_and_hard)
{
  struct trace *t = make ();
  for (unsigned caller = EASY; caller <= HARD; caller++)
    {
      enter (t, caller, 1);
      enter (t, WORK, 2);
      for (int i = 0; i < (caller == EASY ? 0 : 98); i++)
        leaf (t, 3);
      fake_event (t, TRACE_LEAVE, WORK, 0, 2);
      fake_event (t, TRACE_LEAVE, caller, 0, 1);
    }
  add (t);
  expect (EASY, WORK, 1, 0);
  expect (HARD, WORK, 99, 49);
  expect (CALLER_ALL, WORK, 100, 49);
  expect (WORK, LEAF, 98, 49);
  expect (CALLER_UNKNOWN, HARD, 100, 49);
  ck_assert_uint_eq (executed[0], 102);
  ck_assert_double_eq (caller_shares_part_of_executions (&shares, EASY + 10, WORK + 10), 0.01);
  ck_assert_double_eq (caller_shares_part_of_executions (&shares, HARD + 10, WORK + 10), 0.99);
  ck_assert_double_eq (caller_shares_part (&shares, HARD + 10, WORK + 10), 1);
  ck_assert_double_eq (caller_shares_part (&shares, EASY + 10, HARD + 10), 0);
  ck_assert_double_lt (caller_shares_part (&shares, EASY + 10, STRANGE + 10), 0);
}
END_TEST

/* The outermost call gets all. */
START_TEST (recursion)
{
  struct trace *t = make ();
  enter (t, EASY, 1);
  enter (t, WORK, 2);
  enter (t, HARD, 3);
  enter (t, WORK, 4);
  leaf (t, 5);
  fake_event (t, TRACE_LEAVE, WORK, 0, 4);
  fake_event (t, TRACE_LEAVE, HARD, 0, 3);
  fake_event (t, TRACE_LEAVE, WORK, 0, 2);
  add (t);
  expect (EASY, WORK, 4, 0.5);
  expect (HARD, WORK, 0, 0);
  expect (WORK, HARD, 3, 0.5);
  expect (CALLER_ALL, WORK, 4, 0.5);
}
END_TEST

/* A function that makes a tail call also gets the time of the called one; a call behind a return
   is no tail call. */
START_TEST (tail_calls)
{
  struct trace *t = make ();
  enter (t, HARD, 1);
  enter (t, EASY, 2);
  fake_event (t, TRACE_BLOCK, EASY, 1, 2);
  fake_event (t, TRACE_LEAVE, EASY, 1, 2);
  enter (t, WORK, 2);
  leaf (t, 3);
  fake_event (t, TRACE_LEAVE, WORK, 0, 2);
  enter (t, EASY, 2);
  fake_event (t, TRACE_LEAVE, EASY, 0, 2);
  enter (t, WORK, 2);
  fake_event (t, TRACE_LEAVE, WORK, 0, 2);
  add (t);
  expect (EASY, WORK, 2, 0.5);
  expect (HARD, WORK, 1, 0);
  expect (HARD, EASY, 5, 0.5);
  expect (CALLER_UNKNOWN, HARD, 7, 0.5);
}
END_TEST

/* A handler has no caller.  Frames that were lost have no caller; an exception ends the frames
   that it leaves. */
START_TEST (odd_ways)
{
  struct trace *t = make ();
  enter (t, EASY, 1);
  fake_event (t, TRACE_SIGNAL, EASY, 0, 1);
  enter (t, WORK, 2);
  leaf (t, 3);
  fake_event (t, TRACE_LEAVE, WORK, 0, 2);
  fake_event (t, TRACE_SIGNAL_END, EASY, 0, 1);
  fake_event (t, TRACE_BLOCK, EASY, 1, 1);
  enter (t, STRANGE, 2);
  leaf (t, 3);
  fake_event (t, TRACE_LAND, EASY, 1, 1);
  fake_event (t, TRACE_BLOCK, EASY, 1, 1);
  fake_event (t, TRACE_LOST, 0, 0, 0);
  fake_event (t, TRACE_BLOCK, WORK, 1, 2);
  fake_event (t, TRACE_LEAVE, WORK, 1, 2);
  fake_event (t, TRACE_RETURN, HARD, 0, 1);
  fake_event (t, TRACE_BLOCK, HARD, 1, 1);
  leaf (t, 2);
  add (t);
  expect (CALLER_UNKNOWN, EASY, 5, 0.5);
  expect (CALLER_UNKNOWN, WORK, 3, 0.5);
  expect (EASY, WORK, 0, 0);
  expect (WORK, LEAF, 1, 0.5);
  expect (CALLER_UNKNOWN, LEAF, 1, 0.5);
  expect (HARD, LEAF, 1, 0.5);
  expect (CALLER_UNKNOWN, HARD, 2, 0.5);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { easy_and_hard }, { recursion }, { tail_calls }, { odd_ways } };
  return unit_run (UNIT_SUITE ("caller_shares", UNIT_CASE (tests, .tear_down = teardown)));
}
