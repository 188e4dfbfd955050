/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of moving in a recorded run: a small run where each position is known; random runs,
   forward and back, compared with the definition of each command; long runs, which must not be
   decoded again for each step; the commands. */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/tools/fake_trace.h"
#include "testsuite/unit/unit.h"
#include "tools/replay/replay.h"
#include "tools/replay/replay_session.h"

/* A small run.  main: 0 (line 10) calls leaf, 1 and 2 (both line 11) are a loop in which 1 calls
   leaf, 3 (line 12). leaf: 0 (line 1), 1 (line 2). */

static struct trace *trace;
static struct replay replay;

enum { MAIN, LEAF };

static void
call_leaf (void)
{
  fake_event (trace, TRACE_ENTER, LEAF, 0, 2);
  fake_event (trace, TRACE_BLOCK, LEAF, 0, 2);
  fake_event (trace, TRACE_BLOCK, LEAF, 1, 2);
  fake_event (trace, TRACE_LEAVE, LEAF, 1, 2);
}

static void
make_small (void)
{
  static const unsigned main_lines[] = { 10, 11, 11, 12 };
  trace = fake_open ();
  fake_function (trace, "main", 4, main_lines);
  fake_function (trace, "leaf", 2, NULL);
  fake_thread (trace, "first");
  fake_event (trace, TRACE_ENTER, MAIN, 0, 1);
  fake_event (trace, TRACE_BLOCK, MAIN, 0, 1); /* #0 */
  call_leaf ();                                /* #1, #2 */
  for (int i = 0; i < 2; i++)
    {
      fake_event (trace, TRACE_BLOCK, MAIN, 1, 1); /* #3, #7 */
      call_leaf ();                                /* #4, #5; #8, #9 */
      fake_event (trace, TRACE_BLOCK, MAIN, 2, 1); /* #6, #10 */
    }
  fake_event (trace, TRACE_BLOCK, MAIN, 3, 1); /* #11 */
  fake_event (trace, TRACE_LEAVE, MAIN, 3, 1);
  fake_event (trace, TRACE_END, 0, 0, 0);
  fake_thread (trace, "second");
  fake_event (trace, TRACE_ENTER, LEAF, 0, 1);
  fake_event (trace, TRACE_BLOCK, LEAF, 0, 1);
  fake_event (trace, TRACE_SIGNAL, LEAF, 0, 1);
  fake_event (trace, TRACE_ENTER, MAIN, 0, 2);
  fake_event (trace, TRACE_BLOCK, MAIN, 0, 2);
  fake_event (trace, TRACE_LEAVE, MAIN, 0, 2);
  fake_event (trace, TRACE_SIGNAL_END, LEAF, 0, 1);
  fake_event (trace, TRACE_LOST, 0, 0, 0);
  fake_event (trace, TRACE_BLOCK, LEAF, 1, 1);
  fake_event (trace, TRACE_END, 0, 0, 0);
  ck_assert (replay_open (&replay, trace));
}

static void
close_all (void)
{
  replay_close (&replay);
  trace_close (trace);
}

static void
expect (enum replay_result is, enum replay_result should, uint64_t number)
{
  ck_assert_int_eq (is, should);
  ck_assert_uint_eq (replay.number, number);
}

START_TEST (steps)
{
  expect (REPLAY_DONE, REPLAY_DONE, 0);
  expect (replay_step (&replay, REPLAY_BACK, 1), REPLAY_START, 0);
  expect (replay_step (&replay, REPLAY_FORWARD, 11), REPLAY_DONE, 11);
  expect (replay_step (&replay, REPLAY_FORWARD, 1), REPLAY_END, 11);
  expect (replay_step (&replay, REPLAY_BACK, 4), REPLAY_DONE, 7);
  ck_assert_ptr_eq (replay_place (&replay)->block, fake_block (trace, MAIN, 1));
  expect (replay_step (&replay, REPLAY_BACK, UINT64_MAX), REPLAY_START, 0);
  expect (replay_step (&replay, REPLAY_FORWARD, UINT64_MAX), REPLAY_END, 11);
  expect (replay_goto (&replay, 5), REPLAY_DONE, 5);
  expect (replay_goto (&replay, 12), REPLAY_END, 11);
}
END_TEST

START_TEST (lines)
{
  expect (replay_line (&replay, REPLAY_FORWARD), REPLAY_DONE, 3);
  expect (replay_line (&replay, REPLAY_FORWARD), REPLAY_DONE, 11);
  expect (replay_line (&replay, REPLAY_FORWARD), REPLAY_END, 11);
  expect (replay_line (&replay, REPLAY_BACK), REPLAY_DONE, 3);
  expect (replay_line (&replay, REPLAY_BACK), REPLAY_DONE, 0);
  expect (replay_line (&replay, REPLAY_BACK), REPLAY_START, 0);
  replay_goto (&replay, 8);
  expect (replay_line (&replay, REPLAY_FORWARD), REPLAY_DONE, 9);
  expect (replay_line (&replay, REPLAY_FORWARD), REPLAY_DONE, 10); /* the function ends */
  expect (replay_line (&replay, REPLAY_BACK), REPLAY_DONE, 3);     /* to where line 11 began */
  replay_goto (&replay, 8);
  expect (replay_line (&replay, REPLAY_BACK), REPLAY_DONE, 3); /* the caller's line */
}
END_TEST

START_TEST (stacks)
{
  const struct trace_block *const *frames;
  replay_goto (&replay, 4);
  ck_assert_uint_eq (replay_stack (&replay, &frames), 2);
  ck_assert_ptr_eq (frames[0], fake_block (trace, MAIN, 1));
  ck_assert_ptr_eq (frames[1], fake_block (trace, LEAF, 0));
  expect (replay_leave (&replay, REPLAY_FORWARD), REPLAY_DONE, 6);
  replay_goto (&replay, 9);
  expect (replay_leave (&replay, REPLAY_BACK), REPLAY_DONE, 7);
  expect (replay_leave (&replay, REPLAY_BACK), REPLAY_START, 0);
  expect (replay_leave (&replay, REPLAY_FORWARD), REPLAY_END, 11);
}
END_TEST

START_TEST (times)
{
  /* Event i comes at 10 i. */
  expect (replay_time (&replay, 0), REPLAY_DONE, 0);
  expect (replay_time (&replay, 11), REPLAY_DONE, 1);
  expect (replay_time (&replay, 30), REPLAY_DONE, 1);
  ck_assert_uint_eq (replay_place (&replay)->time, 30);
  expect (replay_time (&replay, 31), REPLAY_DONE, 2);
  expect (replay_time (&replay, 1000000), REPLAY_END, 11);
  expect (replay_time (&replay, 31), REPLAY_DONE, 2);
  expect (replay_thread (&replay, 1), REPLAY_DONE, 1);
  expect (replay_thread (&replay, 0), REPLAY_DONE, 2);
  expect (replay_thread (&replay, 2), REPLAY_NONE, 2);
}
END_TEST

/* Recording is lost: moves by lines stop there, whatever the depth. */
START_TEST (losses)
{
  replay_thread (&replay, 1);
  replay_goto (&replay, 0);
  expect (replay_line (&replay, REPLAY_FORWARD), REPLAY_LOST, 2);
  expect (replay_line (&replay, REPLAY_BACK), REPLAY_LOST, 1);
  expect (replay_leave (&replay, REPLAY_FORWARD), REPLAY_LOST, 2);
  expect (replay_leave (&replay, REPLAY_BACK), REPLAY_LOST, 1);
  expect (replay_leave (&replay, REPLAY_BACK), REPLAY_DONE, 0);
  ck_assert_uint_eq (replay_place (&replay)->before, BLOCK_ENTERED);
  replay_step (&replay, REPLAY_FORWARD, 1);
  ck_assert_uint_eq (replay_place (&replay)->before, BLOCK_SIGNAL | BLOCK_ENTERED);
  replay_step (&replay, REPLAY_FORWARD, 1);
  ck_assert_uint_eq (replay_place (&replay)->before, BLOCK_RESUMED | BLOCK_LOST);
}
END_TEST

static struct location
find (const char *text)
{
  struct location w;
  struct error err;
  ck_assert_msg (location_find (&w, &replay.lines, text, &err), "%s: %s", text, err.text);
  return w;
}

START_TEST (visits)
{
  static const struct {
    const char *text;
    uint64_t at[8]; /* all visits */
    size_t n;
  } places[] = { { "leaf", { 1, 4, 8 }, 3 }, { "le*", { 1, 4, 8 }, 3 },
                 { "main", { 0 }, 1 },       { "leaf.c:2", { 2, 5, 9 }, 3 },
                 { "main.c:12", { 11 }, 1 }, { "main.c:99", { 11 }, 1 },
                 { "0x1010", { 3, 7 }, 2 },  { "0x101f", { 3, 7 }, 2 } };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      struct location w = find (places[i].text);
      size_t n = places[i].n, hit;
      for (size_t v = 0; v < n; v++)
        expect (replay_nth (&replay, &w, v + 1), REPLAY_DONE, places[i].at[v]);
      expect (replay_nth (&replay, &w, n + 1), REPLAY_NONE, places[i].at[n - 1]);
      if (n > 1)
        expect (replay_visit (&replay, REPLAY_BACK, &w, n - 1), REPLAY_DONE, places[i].at[0]);
      expect (replay_visit (&replay, REPLAY_BACK, &w, 1), REPLAY_NONE, places[i].at[0]);
      if (n > 1)
        expect (replay_visit (&replay, REPLAY_FORWARD, &w, n - 1), REPLAY_DONE,
                places[i].at[n - 1]);
      expect (replay_run (&replay, REPLAY_FORWARD, &w, 1, &hit), REPLAY_END, 11);
      expect (replay_run (&replay, REPLAY_BACK, &w, 1, &hit),
              places[i].at[n - 1] == 11 && n == 1 ? REPLAY_START : REPLAY_STOP,
              places[i].at[n - 1] == 11 && n == 1 ? 0 : places[i].at[n - 1]);
      location_free (&w);
    }
}
END_TEST

START_TEST (no_such_places)
{
  static const char *const texts[]
      = { "other", "other.c:1", "leaf.c:0", "0x5000", "eaf.c:1", "leaf.c:" };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
      struct location w;
      struct error err;
      ck_assert_msg (!location_find (&w, &replay.lines, texts[i], &err), "%s", texts[i]);
      location_free (&w);
    }
}
END_TEST

/* Random runs.  */

enum { PLACES_MOST = 400 };
static struct thread_block flat[PLACES_MOST];
static size_t nflat;

static void
add (unsigned function, unsigned index, unsigned depth, unsigned before)
{
  if (before & BLOCK_LOST)
    fake_event (trace, TRACE_LOST, 0, 0, 0);
  if (before & BLOCK_ENTERED)
    fake_event (trace, TRACE_ENTER, function, 0, depth);
  fake_event (trace, TRACE_BLOCK, function, index, depth);
  flat[nflat++] = (struct thread_block) { .block = fake_block (trace, function, index),
                                          .depth = depth,
                                          .before = before };
}

static void
make_random (void)
{
  static const unsigned line_table[] = { 1, 2, 2, 3, 0, 3 };
  unsigned stack[8], depth = 1, before = BLOCK_ENTERED;
  trace = fake_open ();
  nflat = 0;
  for (int i = 0; i < 3; i++)
    fake_function (trace, i == 0 ? "a" : i == 1 ? "b" : "c", 6, line_table);
  fake_thread (trace, "random");
  stack[1] = 0;
  while (nflat < PLACES_MOST)
    {
      add (stack[depth], before & BLOCK_ENTERED ? 0 : 1 + (unsigned) rand () % 5, depth, before);
      before = rand () % 50 == 0 ? BLOCK_LOST : 0;
      int what = rand () % 8;
      if (what < 2 && depth < 7)
        {
          stack[++depth] = (unsigned) rand () % 3;
          before |= BLOCK_ENTERED;
        }
      else if (what == 2 && depth > 1)
        depth--;
      else if (what == 3)
        {
          stack[depth] = (unsigned) rand () % 3; /* the next call of the same caller */
          before |= BLOCK_ENTERED;
        }
    }
  ck_assert (replay_open (&replay, trace));
}

static bool
same_line (const struct thread_block *a, const struct thread_block *b)
{
  return a->depth == b->depth && lines_same (&replay.lines, a->block, b->block);
}

static bool
crossed (size_t a, size_t b)
{
  for (size_t i = a + 1; i <= b; i++)
    if (flat[i].before & BLOCK_LOST)
      return true;
  return false;
}

static size_t
line_after (size_t from)
{
  size_t i = from + 1;
  while (i < nflat && !crossed (from, i)
         && (flat[i].depth > flat[from].depth
             || (same_line (&flat[i], &flat[from]) && !(flat[i].before & BLOCK_ENTERED))))
    i++;
  return i < nflat ? i : nflat - 1;
}

/* The earliest place from which all up to the one before FROM, that is not deeper than FROM, is
   one line in one frame. */
static size_t
line_before (size_t from)
{
  size_t last = from;
  while (last > 0 && !crossed (last - 1, from) && flat[last - 1].depth > flat[from].depth)
    last--;
  if (last-- == 0)
    return 0;
  if (crossed (last, from))
    return last;
  size_t first = last;
  for (size_t i = last; i-- > 0 && !(flat[first].before & BLOCK_ENTERED) && !crossed (i, last);)
    if (flat[i].depth < flat[last].depth
        || (flat[i].depth == flat[last].depth && !same_line (&flat[i], &flat[last])))
      break;
    else if (flat[i].depth == flat[last].depth)
      first = i;
  return first;
}

static size_t
left (size_t from)
{
  size_t i = from + 1;
  while (i < nflat && !crossed (from, i)
         && (flat[i].depth > flat[from].depth
             || (flat[i].depth == flat[from].depth && !(flat[i].before & BLOCK_ENTERED))))
    i++;
  return i < nflat ? i : nflat - 1;
}

static size_t
caller (size_t from)
{
  size_t i = from;
  while (i > 0 && !crossed (i - 1, from) && flat[i - 1].depth >= flat[from].depth)
    i--;
  return i > 0 ? i - 1 : 0;
}

START_TEST (random_runs)
{
  srand (7);
  for (int round = 0; round < 40; round++)
    {
      make_random ();
      for (size_t i = 0; i < nflat; i++)
        {
          replay_goto (&replay, i);
          ck_assert_ptr_eq (replay_place (&replay)->block, flat[i].block);
          ck_assert_uint_eq (replay_place (&replay)->before, flat[i].before);
          replay_line (&replay, REPLAY_FORWARD);
          ck_assert_uint_eq (replay.number, line_after (i));
          replay_goto (&replay, i);
          replay_line (&replay, REPLAY_BACK);
          ck_assert_uint_eq (replay.number, line_before (i));
          replay_goto (&replay, i);
          replay_leave (&replay, REPLAY_FORWARD);
          ck_assert_uint_eq (replay.number, left (i));
          replay_goto (&replay, i);
          replay_leave (&replay, REPLAY_BACK);
          ck_assert_uint_eq (replay.number, caller (i));
        }
      struct location w = find (round % 2 ? "b" : "a.c:2");
      uint64_t seen[PLACES_MOST];
      size_t n = 0;
      replay_goto (&replay, 0);
      while (replay_visit (&replay, REPLAY_FORWARD, &w, 1) == REPLAY_DONE)
        seen[n++] = replay.number;
      replay_goto (&replay, UINT64_MAX);
      if (n > 0 && seen[n - 1] == replay.number)
        n--;
      while (n > 0)
        {
          ck_assert_int_eq (replay_visit (&replay, REPLAY_BACK, &w, 1), REPLAY_DONE);
          ck_assert_uint_eq (replay.number, seen[--n]);
        }
      location_free (&w);
      close_all ();
    }
}
END_TEST

/* Back over a long run: each stretch of it is decoded a few times, not each step. */
START_TEST (long_run)
{
  enum { LENGTH = 5 * BLOCKS_IN_STRETCH };
  trace = fake_open ();
  fake_function (trace, "f", 64, NULL);
  fake_thread (trace, "long");
  fake_event (trace, TRACE_ENTER, 0, 0, 1);
  for (unsigned i = 0; i < LENGTH; i++)
    fake_event (trace, TRACE_BLOCK, 0, i % 61, 1);
  fake_event (trace, TRACE_END, 0, 0, 0);
  ck_assert (replay_open (&replay, trace));
  expect (replay_goto (&replay, UINT64_MAX), REPLAY_END, LENGTH - 1);
  for (uint64_t i = LENGTH - 1; i > 0; i--)
    {
      expect (replay_step (&replay, REPLAY_BACK, 1), REPLAY_DONE, i - 1);
      ck_assert_uint_eq (replay_place (&replay)->block->index, (i - 1) % 61);
    }
  ck_assert_uint_eq (replay_place (&replay)->before, BLOCK_ENTERED);
  ck_assert_uint_lt (fake_told (trace), 3 * LENGTH);
  uint64_t told = fake_told (trace);
  for (unsigned i = 0; i < 1000; i++)
    {
      uint64_t n = BLOCKS_IN_STRETCH - 1 + i % 2;
      expect (replay_goto (&replay, n), REPLAY_DONE, n);
      replay_place (&replay);
    }
  ck_assert_uint_lt (fake_told (trace) - told, LENGTH);
  close_all ();
}
END_TEST

/* Nothing to show. */
START_TEST (empty)
{
  trace = fake_open ();
  fake_function (trace, "f", 1, NULL);
  ck_assert (!replay_open (&replay, trace)); /* no thread */
  replay_close (&replay);
  fake_thread (trace, "one");
  fake_event (trace, TRACE_END, 0, 0, 0);
  ck_assert (replay_open (&replay, trace));
  ck_assert_ptr_null (replay_place (&replay));
  replay_close (&replay);
  fake_thread (trace, "two");
  fake_event (trace, TRACE_BLOCK, 0, 0, 1);
  ck_assert (replay_open (&replay, trace)); /* begins where something is */
  ck_assert_uint_eq (replay.thread, 1);
  ck_assert_ptr_nonnull (replay_place (&replay));
  close_all ();
}
END_TEST

/* Commands: what is said, and what is answered.  */

static struct replay_session session;

static void
open_session (void)
{
  struct error err;
  make_small ();
  replay_close (&replay);
  ck_assert (replay_session_open (&session, "fake.bbt", trace, &err));
}

static void
close_session (void)
{
  replay_session_close (&session);
  trace_close (trace);
}

static void
answer (const char *command, enum replay_effect effect, uint64_t number, const char *text)
{
  char *out;
  size_t size;
  FILE *stream = open_memstream (&out, &size);
  enum replay_effect is = replay_command (&session, command, stream);
  fclose (stream);
  ck_assert_msg (is == effect && session.replay.number == number, "%s: %d, %d", command, is,
                 (int) session.replay.number);
  if (text)
    ck_assert_str_eq (out, text);
  free (out);
}

START_TEST (all_commands)
{
  answer ("", REPLAY_STAYED, 0, "");
  answer ("step", REPLAY_MOVED, 1, "");
  answer (" s  3 \n", REPLAY_MOVED, 4, "");
  answer ("back", REPLAY_MOVED, 3, "");
  answer ("b 9", REPLAY_MOVED, 0, "nothing is recorded before this\n");
  answer ("next", REPLAY_MOVED, 3, "");
  answer ("n 2", REPLAY_MOVED, 11, "the record of this thread ends here\n");
  answer ("prev 2", REPLAY_MOVED, 0, "");
  answer ("goto 8", REPLAY_MOVED, 8, "");
  answer ("finish", REPLAY_MOVED, 10, "");
  answer ("goto 9", REPLAY_MOVED, 9, "");
  answer ("up", REPLAY_MOVED, 7, "");
  answer ("goto end", REPLAY_MOVED, 11, "the record of this thread ends here\n");
  answer ("goto x", REPLAY_STAYED, 11, NULL);
  answer ("time 0", REPLAY_MOVED, 0, "");
  answer ("t 31ns", REPLAY_MOVED, 2, "");
  answer ("time 0.00003ms", REPLAY_MOVED, 1, "");
  answer ("time 3e-8", REPLAY_MOVED, 1, "");
  answer ("time soon", REPLAY_STAYED, 1, NULL);
  answer ("visit 2 leaf", REPLAY_MOVED, 4, "");
  answer ("visit +1 leaf", REPLAY_MOVED, 8, "");
  answer ("v -2 leaf", REPLAY_MOVED, 1, "");
  answer ("v -1 leaf", REPLAY_STAYED, 1, "there is no such place\n");
  answer ("v 1 none", REPLAY_STAYED, 1,
          "no traced function matches 'none'; bbprof report -n 0 lists the functions\n");
  answer ("v", REPLAY_STAYED, 1, NULL);
  answer ("break main.c:12", REPLAY_STAYED, 1, "stop 1: main.c:12 (blocks begin on line 12)\n");
  answer ("B leaf.c:9", REPLAY_STAYED, 1, "stop 2: leaf.c:9 (blocks begin on line 2)\n");
  answer ("break", REPLAY_STAYED, 1, "1  main.c:12\n2  leaf.c:9\n");
  answer ("continue", REPLAY_MOVED, 2, "stop 2: leaf.c:9\n");
  answer ("c", REPLAY_MOVED, 5, "stop 2: leaf.c:9\n");
  answer ("r", REPLAY_MOVED, 2, "stop 2: leaf.c:9\n");
  answer ("delete 2", REPLAY_STAYED, 2, "");
  answer ("delete 2", REPLAY_STAYED, 2, NULL);
  answer ("c", REPLAY_MOVED, 11, "stop 1: main.c:12\n");
  answer ("reverse", REPLAY_MOVED, 0, "nothing is recorded before this\n");
  answer ("goto 4", REPLAY_MOVED, 4, "");
  answer ("where", REPLAY_STAYED, 4, " 0  leaf  0x2000  leaf.c:1\n 1  main  0x1010  main.c:11\n");
  answer ("list", REPLAY_STAYED, 4, "=> leaf  0x2000  leaf.c:1\n   leaf  0x2010  leaf.c:2\n");
  answer ("thread", REPLAY_STAYED, 4,
          "* 0  tid 1000  first  from 0.000000000 s to 0.000000200 s\n  1  tid 1001  second  from "
          "0.000000000 s to 0.000000090 s\n");
  answer ("thread 2", REPLAY_STAYED, 4, NULL);
  answer ("thread 1", REPLAY_MOVED, 2,
          "what was executed before this is not recorded\na signal handler has ended\n");
  answer ("back", REPLAY_MOVED, 1, "a signal handler begins\n");
  answer ("frobnicate", REPLAY_STAYED, 1, "no such command: frobnicate (help lists them)\n");
  answer ("step x", REPLAY_STAYED, 1, "not a number: x\n");
  answer ("quit", REPLAY_QUIT, 1, "");
}
END_TEST

START_TEST (text_form)
{
  char *out, commands[] = "s\nlist\nq\ns\n";
  size_t size;
  FILE *in = fmemopen (commands, strlen (commands), "r"), *stream = open_memstream (&out, &size);
  FILE *source = fopen ("leaf.c", "w");
  fputs ("one line\nanother", source);
  fclose (source);
  replay_text (&session, in, false, stream);
  fclose (stream);
  fclose (in);
  remove ("leaf.c");
  ck_assert_str_eq (out,
                    "#0  0.000000010 s  thread 0  depth 1  main  0x1000  main.c:10\n"
                    "#1  0.000000030 s  thread 0  depth 2  leaf  0x2000  leaf.c:1\n1\tone line\n"
                    "=> 1\tone line\n   2\tanother\n");
  free (out);
}
END_TEST

int
main (void)
{
  const struct unit_test small[]
      = { { steps }, { lines }, { stacks }, { times }, { losses }, { visits }, { no_such_places } };
  const struct unit_test runs[] = { { random_runs }, { long_run }, { empty } };
  const struct unit_test said[] = { { all_commands }, { text_form } };
  return unit_run (UNIT_SUITE (
      "replay", UNIT_CASE (small, .set_up = make_small, .tear_down = close_all), UNIT_CASE (runs),
      UNIT_CASE (said, .set_up = open_session, .tear_down = close_session)));
}
