/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a trace's checkpoints: each has the frames that the stack had when it was made,
   however many frames it shares with others and however many have returned since; a deep stack
   of which little changes keeps as many checkpoints as a flat one. */
#include <stdlib.h>

#include "testsuite/unit/unit.h"
#include "tools/decode/trace_checkpoint.h"

enum { DEEPEST = 200000, POINTS = 3000 };

static struct walk_frame stack[DEEPEST], found[DEEPEST];
static size_t nframes, unchanged; /* since the last point that is kept */
static uint64_t sums[POINTS + 1];
static size_t depths[POINTS + 1];

static uint64_t
sum_of (const struct walk_frame *frames, size_t n)
{
  uint64_t sum = n;
  for (size_t i = 0; i < n; i++)
    sum = (sum ^ frames[i].block ^ (uint64_t) frames[i].index << 32) * 0x9e3779b97f4a7c15;
  return sum;
}

/* LESS frames go, MORE come. */
static void
change (size_t less, size_t more)
{
  nframes -= less < nframes ? less : nframes;
  unchanged = unchanged < nframes ? unchanged : nframes;
  for (; more > 0 && nframes < DEEPEST; more--, nframes++)
    stack[nframes]
        = (struct walk_frame) { .block = (uint32_t) rand (), .index = (uint32_t) nframes + 1 };
}

static void
note (struct checkpoints *c, size_t number)
{
  const struct checkpoint point = { .number = number,
                                    .time = 10 * number,
                                    .next_piece = number,
                                    .frames = stack,
                                    .nframes = nframes,
                                    .shared = unchanged };
  unchanged = checkpoints_note (c, &point);
  ck_assert_uint_le (unchanged, nframes);
  sums[number] = sum_of (stack, nframes);
  depths[number] = nframes;
}

/* Each that is there; returns how many. */
static size_t
check_all (const struct checkpoints *c, size_t noted)
{
  size_t n = 0;
  uint64_t before = UINT64_MAX;
  for (size_t number = 1; number <= noted + 1; number++)
    {
      const struct checkpoint *point = checkpoints_find (c, number, UINT64_MAX);
      if (!point || point->number == before)
        continue;
      ck_assert_uint_lt (point->number, number);
      ck_assert_uint_eq (point->nframes, depths[point->number]);
      checkpoints_frames (point, found);
      ck_assert_uint_eq (sum_of (found, point->nframes), sums[point->number]);
      before = point->number;
      n++;
    }
  return n;
}

static void
begin (struct checkpoints *c)
{
  nframes = unchanged = 0;
  srand (16);
  checkpoints_begin (c);
}

START_TEST (test_deep)
{
  struct checkpoints c;
  begin (&c);
  change (0, DEEPEST - 100);
  for (size_t i = 0; i < POINTS; i++)
    {
      note (&c, i);
      change ((size_t) rand () % 20, (size_t) rand () % 20);
    }
  ck_assert_uint_eq (check_all (&c, POINTS - 1), POINTS);
  checkpoints_free (&c);
}
END_TEST

/* More than there is memory for: some are left, along all of the trace. */
START_TEST (test_changing)
{
  struct checkpoints c;
  begin (&c);
  for (size_t i = 0; i < POINTS; i++)
    {
      change (rand () % 8 ? (size_t) rand () % 50 : (size_t) rand () % DEEPEST,
              rand () % 8 ? (size_t) rand () % 50 : (size_t) rand () % DEEPEST);
      note (&c, i);
      if (i % 500 == 499)
        ck_assert_uint_ge (check_all (&c, i), 8);
    }
  const struct checkpoint *middle = checkpoints_find (&c, POINTS / 2, UINT64_MAX);
  ck_assert (middle && middle->number > POINTS / 4);
  ck_assert_uint_lt (check_all (&c, POINTS - 1), POINTS);
  checkpoints_free (&c);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { test_deep }, { test_changing } };
  return unit_run (UNIT_SUITE ("checkpoint", UNIT_CASE (tests)));
}
