/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of iterations of loops, with hand-written events. */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/tools/fake_trace.h"
#include "testsuite/unit/unit.h"
#include "tools/jumps/iterations.h"

/* One function: 0 -> 1; the loop of 1, which asks, and 2, in which is the loop of 3, one block
   that asks at its end; 4 is behind. */
static struct map_way ways[] = { { 1, 0 }, { 2, 0 }, { 4, 0 }, { 3, 0 }, { 3, 0 }, { 1, 0 } };
static struct map_block blocks[] = { { .first_way = 0, .nways = 1 },
                                     { .first_way = 1, .nways = 2 },
                                     { .first_way = 3, .nways = 1 },
                                     { .first_way = 4, .nways = 2 },
                                     { .first_way = 6, .nways = 0 } };
static const struct map map = { .blocks = blocks, .count = 5, .ways = ways, .nways = 6 };
enum { INNER, OUTER };

static struct loops loops;
static struct iteration_counts counts[2];

static size_t
find (void *context, const struct trace_block *b)
{
  (void) context;
  return b->function->number == 0 ? b->index : NO_PLACE;
}

static void
setup (void)
{
  ck_assert (loops_find (&loops, &map));
  ck_assert_uint_eq (loops.count, 2);
  ck_assert_uint_eq (loops.loops[INNER].head, 3);
  memset (counts, 0, sizeof counts);
}

static void
teardown (void)
{
  loops_free (&loops);
}

static struct trace *
make (void)
{
  struct trace *t = fake_open ();
  fake_function (t, "known", 5, NULL);
  fake_function (t, "other", 1, NULL);
  fake_thread (t, "main");
  return t;
}

static void
add (struct trace *t)
{
  struct iteration_lookup lookup = { .map = &map, .loops = &loops, .find = find };
  ck_assert (iterations_add (counts, t, &lookup));
  trace_close (t);
}

/* Blocks of function 0, at DEPTH. */
static void
execute (struct trace *t, unsigned depth, const char *path)
{
  for (; *path; path++)
    fake_event (t, TRACE_BLOCK, 0, (unsigned) (*path - '0'), depth);
}

static void
expect (int loop, uint64_t entered, uint64_t iterations, uint64_t least, uint64_t most)
{
  ck_assert_uint_eq (counts[loop].entered, entered);
  ck_assert_uint_eq (counts[loop].iterations, iterations);
  ck_assert_uint_eq (counts[loop].least, least);
  ck_assert_uint_eq (counts[loop].most, most);
}

START_TEST (nested)
{
  struct trace *t = make ();
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1,
           "01"
           "23331"
           "231"
           "4");
  fake_event (t, TRACE_LEAVE, 0, 4, 1);
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1, "014");
  fake_event (t, TRACE_LEAVE, 0, 4, 1);
  add (t);
  expect (OUTER, 2, 2, 0, 2);
  expect (INNER, 2, 4, 1, 3);
  ck_assert_uint_eq (counts[OUTER].classes[0], 1);
  ck_assert_uint_eq (counts[OUTER].classes[2], 1);
  ck_assert_uint_eq (counts[INNER].classes[1], 1);
  ck_assert_uint_eq (counts[INNER].classes[2], 1);
}
END_TEST

/* Each frame has loops of its own: a call in the inner loop leads to the function again. */
START_TEST (recursion)
{
  struct trace *t = make ();
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1, "0123");
  fake_event (t, TRACE_ENTER, 0, 0, 2);
  execute (t, 2, "01233");
  fake_event (t, TRACE_ENTER, 1, 0, 3);
  fake_event (t, TRACE_BLOCK, 1, 0, 3);
  fake_event (t, TRACE_LEAVE, 1, 0, 3);
  execute (t, 2, "314");
  fake_event (t, TRACE_LEAVE, 0, 4, 2);
  execute (t, 1, "314");
  fake_event (t, TRACE_LEAVE, 0, 4, 1);
  add (t);
  expect (OUTER, 2, 2, 1, 1);
  expect (INNER, 2, 5, 2, 3);
}
END_TEST

/* An exception ends the loops of the frames that it leaves; of a loop that is left from its head
   by anything but a way, the last iteration counts. */
START_TEST (unwinding)
{
  struct trace *t = make ();
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1, "0123");
  fake_event (t, TRACE_ENTER, 0, 0, 2);
  execute (t, 2, "01");
  fake_event (t, TRACE_ENTER, 0, 0, 3);
  execute (t, 3, "012333");
  fake_event (t, TRACE_LAND, 0, 4, 1);
  execute (t, 1, "4");
  fake_event (t, TRACE_LEAVE, 0, 4, 1);
  add (t);
  expect (OUTER, 3, 3, 1, 1);
  expect (INNER, 2, 4, 1, 3);
}
END_TEST

/* An iteration that was not seen from its beginning to its end does not count. */
START_TEST (partly_seen)
{
  struct trace *t = make ();
  fake_event (t, TRACE_LOST, 0, 0, 0);
  execute (t, 2,
           "3331"
           "231"
           "4"); /* in the middle of both loops */
  fake_event (t, TRACE_LEAVE, 0, 4, 2);
  fake_event (t, TRACE_RETURN, 0, 2, 1); /* a call in the outer loop was not known so far */
  execute (t, 1,
           "31"
           "4");
  fake_event (t, TRACE_LEAVE, 0, 4, 1);
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1, "01233");
  fake_event (t, TRACE_LOST, 0, 0, 0);
  execute (t, 1, "1"); /* first seen at a head: may be any iteration */
  execute (t, 1,
           "231"
           "4");
  fake_event (t, TRACE_ENTER, 0, 0, 2);
  execute (t, 2, "0123");
  fake_event (t, TRACE_END, 0, 0, 0);
  add (t);
  expect (OUTER, 0, 0, 0, 0);
  expect (INNER, 3, 3, 1, 1);
}
END_TEST

/* A handler comes in between; another thread has its own frames. */
START_TEST (handlers_and_threads)
{
  struct trace *t = make ();
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1, "0123");
  fake_event (t, TRACE_SIGNAL, 0, 3, 1);
  fake_event (t, TRACE_ENTER, 0, 0, 2);
  execute (t, 2, "0123333314");
  fake_event (t, TRACE_LEAVE, 0, 4, 2);
  fake_event (t, TRACE_SIGNAL_END, 0, 3, 1);
  execute (t, 1, "33");
  fake_event (t, TRACE_END, 0, 0, 0);
  fake_thread (t, "other");
  fake_event (t, TRACE_ENTER, 0, 0, 1);
  execute (t, 1, "01233314");
  fake_event (t, TRACE_LEAVE, 0, 4, 1);
  add (t);
  expect (OUTER, 2, 2, 1, 1);
  expect (INNER, 2, 8, 3, 5);
}
END_TEST

START_TEST (classes)
{
  ck_assert_uint_eq (iteration_class (0), 0);
  ck_assert_uint_eq (iteration_class (UINT64_MAX), ITERATION_CLASSES - 1);
  for (unsigned c = 0; c < ITERATION_CLASSES; c++)
    {
      ck_assert_uint_eq (iteration_class (iteration_class_least (c)), c);
      ck_assert_uint_eq (iteration_class (iteration_class_most (c)), c);
    }
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { nested }, { recursion }, { unwinding }, { partly_seen }, { handlers_and_threads },
          { classes } };
  return unit_run (
      UNIT_SUITE ("iterations", UNIT_CASE (tests, .set_up = setup, .tear_down = teardown)));
}
