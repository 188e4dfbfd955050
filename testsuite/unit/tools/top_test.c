/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the sums of bbprof top, from hand-written records: every nanosecond is charged once,
   to the right state, however late it is reported; switches, migrations, reasons and time
   slices; threads whose tid is used again; the kernel's gaps; and the same by polls. */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/unit.h"
#include "tools/top/top_table.h"

enum { MS = 1000000 };

static struct watched seen;
static struct top_sums sums;

static void
begin (enum bbs_how how)
{
  watched_clear (&seen);
  top_sums_open (&sums, how);
}

static void
end (void)
{
  top_sums_close (&sums);
  watched_free (&seen);
}

/* In milliseconds. */
static void
add (unsigned time, uint32_t tid, enum bbs_switch_kind kind, uint16_t cpu)
{
  struct bbs_switch s
      = { .time = (uint64_t) time * MS, .tid = tid, .cpu = cpu, .kind = (uint16_t) kind };
  ck_assert (watched_add_switch (&seen, &s));
}

static struct bbs_look
look_at (unsigned time, uint32_t tid, char state, unsigned run, unsigned wait)
{
  return (struct bbs_look) { .time = (uint64_t) time * MS,
                             .tid = tid,
                             .state = (uint8_t) state,
                             .run = (uint64_t) run * MS,
                             .wait = (uint64_t) wait * MS,
                             .voluntary = BBS_NOT_KNOWN,
                             .involuntary = BBS_NOT_KNOWN,
                             .call = -1 };
}

static void
play (void)
{
  ck_assert (top_sums_play (&sums, &seen));
  watched_clear (&seen);
}

static void
tick (unsigned time)
{
  play ();
  top_sums_tick (&sums, (uint64_t) time * MS);
}

static const struct top_thread *
thread (uint32_t tid)
{
  const struct top_thread *found = NULL;
  for (size_t i = 0; i < sums.n; i++)
    if (sums.threads[i]->tid == tid)
      found = sums.threads[i];
  ck_assert_ptr_nonnull (found);
  return found;
}

static void
check_times (const struct top_counts *c, int runs, int ready, int sleeps, int unknown)
{
  ck_assert_int_eq (c->time[TIMELINE_RUNNING], (int64_t) runs * MS);
  ck_assert_int_eq (c->time[TIMELINE_READY], (int64_t) ready * MS);
  ck_assert_int_eq (c->time[TIMELINE_SLEEPING], (int64_t) sleeps * MS);
  ck_assert_int_eq (c->time[TIMELINE_UNKNOWN], (int64_t) unknown * MS);
}

/* A life: born, waits for its first turn, runs, has to leave, goes on elsewhere, sleeps, dies. */
START_TEST (life)
{
  begin (BBS_BY_EVENTS);
  add (10, 7, BBS_BORN, 0);
  add (12, 7, BBS_IN, 0);
  add (15, 7, BBS_OUT_READY, 0);
  add (19, 7, BBS_IN, 1);
  add (24, 7, BBS_OUT_SLEEPS, 1);
  add (30, 7, BBS_IN, 1);
  add (37, 7, BBS_DIED, 1);
  add (37, 7, BBS_OUT_SLEEPS, 1);
  tick (100);
  const struct top_thread *t = thread (7);
  check_times (&t->counts, 3 + 5 + 7, 2 + 4, 6, 0);
  check_times (&t->recent, 3 + 5 + 7, 2 + 4, 6, 0);
  ck_assert_int_eq (t->counts.voluntary, 1);
  ck_assert_int_eq (t->counts.involuntary, 1);
  ck_assert_int_eq (t->counts.migrations, 1);
  ck_assert_uint_eq (t->born, 10 * MS);
  ck_assert_uint_eq (t->died, 37 * MS);
  ck_assert_uint_eq (t->cpu_time, 15 * MS);
  ck_assert_uint_eq (top_longest (t, TIMELINE_RUNNING), 7 * MS);
  ck_assert_uint_eq (top_longest (t, TIMELINE_READY), 4 * MS);
  ck_assert_int_eq (sums.cpus[0].time, 3 * MS);
  ck_assert_int_eq (sums.cpus[1].time, 12 * MS);
  ck_assert_int_eq (sums.cpus[1].switches, 2);
  tick (200);
  check_times (&t->recent, 0, 0, 0, 0);
  end ();
}
END_TEST

/* A period ends while it runs, so it says; a switch from before that end, told later, takes that
   back. */
START_TEST (told_late)
{
  begin (BBS_BY_EVENTS);
  add (0, 7, BBS_IN, 0);
  tick (100);
  check_times (&thread (7)->recent, 100, 0, 0, 0);
  add (90, 7, BBS_OUT_SLEEPS, 0);
  tick (200);
  check_times (&thread (7)->counts, 90, 0, 110, 0);
  check_times (&thread (7)->recent, 0, 0, 110, 0);
  ck_assert_uint_eq (top_longest (thread (7), TIMELINE_RUNNING), 90 * MS);
  ck_assert_int_eq (sums.cpus[0].time, 90 * MS);
  ck_assert_int_eq (top_sums_slices (thread (7), 0, 1).time[TIMELINE_RUNNING], 50 * MS);
  ck_assert_int_eq (top_sums_slices (thread (7), 1, 1).time[TIMELINE_RUNNING], 40 * MS);
  ck_assert_int_eq (top_sums_slices (thread (7), 0, 4).time[TIMELINE_RUNNING], 90 * MS);
  end ();
}
END_TEST

/* The first record shows the state before it: the thread left the processor, so it was running. */
START_TEST (begun_before)
{
  begin (BBS_BY_EVENTS);
  ck_assert (watched_add_name (&seen, 0, 7, "seven"));
  ck_assert (watched_add_name (&seen, 0, 8, "eight"));
  struct bbs_look look = look_at (0, 8, 'R', 500, 0);
  ck_assert (watched_add_look (&seen, &look));
  add (20, 7, BBS_OUT_SLEEPS, 0);
  add (30, 8, BBS_IN, 0);
  tick (40);
  check_times (&thread (7)->counts, 20, 0, 20, 0);
  /* Able to run, a look says; but it had no processor. */
  check_times (&thread (8)->counts, 10, 30, 0, 0);
  ck_assert_uint_eq (thread (8)->cpu_time, 510 * MS);
  ck_assert_str_eq (thread (7)->name, "seven");
  end ();
}
END_TEST

/* Looks explain a sleep, and say how long sleepers that were woken up had to wait, which no
   switch tells. */
START_TEST (explained)
{
  begin (BBS_BY_EVENTS);
  add (0, 7, BBS_BORN, 0);
  add (0, 7, BBS_IN, 0);
  add (10, 7, BBS_OUT_READY, 0);
  add (14, 7, BBS_IN, 0);
  add (20, 7, BBS_OUT_SLEEPS, 0);
  add (50, 7, BBS_IN, 0); /* woken up at 43, in truth */
  add (60, 7, BBS_OUT_SLEEPS, 0);
  struct bbs_look look = look_at (65, 7, 'S', 26, 4 + 7);
  look.why = BBS_WHY_LOCK;
  look.call = 202;
  ck_assert (watched_add_look (&seen, &look));
  tick (100);
  check_times (&thread (7)->counts, 26, 11, 63, 0);
  ck_assert_int_eq (
      thread (7)->counts.why[BBS_WHY_LOCK] + thread (7)->counts.why[BBS_WHY_NOT_KNOWN], 63 * MS);
  ck_assert_int_ge (thread (7)->counts.why[BBS_WHY_LOCK], 33 * MS);
  ck_assert_uint_eq (thread (7)->why, BBS_WHY_LOCK);
  ck_assert_int_eq (thread (7)->call, 202);
  add (110, 7, BBS_IN, 0);
  add (120, 7, BBS_OUT_SLEEPS, 0);
  tick (130);
  ck_assert_uint_eq (thread (7)->why, BBS_WHY_NOT_KNOWN);
  end ();
}
END_TEST

/* Lost records: the thread that ran there since then is not known; nor the state between two
   beginnings, or two ends, of a run. */
START_TEST (gaps)
{
  begin (BBS_BY_EVENTS);
  add (0, 7, BBS_IN, 0);
  add (0, 8, BBS_IN, 1);
  add (50, 1000, BBS_GAP, 0);
  add (60, 7, BBS_IN, 0);
  add (70, 7, BBS_OUT_SLEEPS, 0);
  add (80, 7, BBS_OUT_SLEEPS, 0);
  tick (100);
  check_times (&thread (7)->counts, 10, 0, 20, 70);
  check_times (&thread (8)->counts, 100, 0, 0, 0);
  ck_assert_uint_eq (sums.n, 2);
  end ();
}
END_TEST

/* A number comes again; it is another thread's now.  Ended threads are forgotten when there are
   very many. */
START_TEST (numbers)
{
  begin (BBS_BY_EVENTS);
  for (unsigned i = 0; i < 2000; i++)
    {
      add (2 * i, 100 + i % 1500, BBS_BORN, 0);
      add (2 * i, 100 + i % 1500, BBS_IN, 0);
      add (2 * i + 1, 100 + i % 1500, BBS_DIED, 0);
    }
  add (5000, 105, BBS_BORN, 0);
  add (5000, 105, BBS_IN, 0);
  tick (5007);
  check_times (&thread (105)->counts, 7, 0, 0, 0);
  ck_assert_uint_eq (sums.n, 1001);
  ck_assert_uint_eq (sums.ndead, 1000);
  check_times (&sums.whole, 2007, 0, 0, 0); /* the forgotten ones' too */
  top_sums_whole (&sums);
  check_times (&sums.whole, 2007, 0, 0, 0);
  top_sums_end (&sums, 5007ul * MS);
  ck_assert_uint_eq (sums.n, 1001);
  for (size_t i = 1; i < sums.n; i++)
    ck_assert_uint_le (sums.threads[i - 1]->tid, sums.threads[i]->tid);
  end ();
}
END_TEST

START_TEST (reset)
{
  begin (BBS_BY_EVENTS);
  add (0, 7, BBS_IN, 0);
  tick (100);
  top_sums_reset (&sums);
  add (130, 7, BBS_OUT_READY, 0);
  tick (200);
  check_times (&thread (7)->counts, 30, 70, 0, 0);
  check_times (&thread (7)->recent, 30, 70, 0, 0);
  ck_assert_uint_eq (thread (7)->cpu_time, 130 * MS);
  top_sums_end (&sums, 250ul * MS);
  top_sums_tick (&sums, 250ul * MS);
  check_times (&thread (7)->recent, 0, 50, 0, 0);
  ck_assert_uint_eq (sums.ndead, 1);
  top_sums_whole (&sums);
  check_times (&thread (7)->recent, 30, 120, 0, 0);
  ck_assert_uint_eq (sums.period, 150 * MS);
  check_times (&sums.whole, 30, 120, 0, 0);
  end ();
}
END_TEST

/* By polls: sums grow; the sleep was before that. */
START_TEST (polls)
{
  begin (BBS_BY_POLLS);
  struct bbs_look looks[] = { look_at (0, 7, 'S', 1000, 10), look_at (50, 7, 'R', 1004, 12),
                              look_at (60, 7, 'R', 1009, 17), look_at (61, 7, 'S', 1010, 17) };
  looks[0].voluntary = 5;
  looks[3].voluntary = 9; /* not known in between */
  looks[0].involuntary = looks[1].involuntary = looks[2].involuntary = looks[3].involuntary = 3;
  looks[0].cpu = looks[1].cpu = 0;
  looks[2].cpu = looks[3].cpu = 1;
  looks[3].why = BBS_WHY_TIME;
  ck_assert (watched_add_look (&seen, &looks[0]));
  tick (10);
  check_times (&thread (7)->recent, 0, 0, 10, 0);
  for (int i = 1; i < 4; i++)
    ck_assert (watched_add_look (&seen, &looks[i]));
  tick (100);
  check_times (&thread (7)->counts, 10, 7, 83, 0);
  ck_assert_uint_eq (thread (7)->cpu_time, 1010ul * MS);
  ck_assert_int_eq (thread (7)->counts.voluntary, 4);
  ck_assert_int_eq (thread (7)->counts.involuntary, 0);
  ck_assert_int_eq (thread (7)->counts.migrations, 1);
  ck_assert_int_ge (thread (7)->counts.why[BBS_WHY_TIME], 39 * MS);
  ck_assert_int_eq (top_sums_slices (thread (7), 0, 1).time[TIMELINE_RUNNING], 4 * MS);
  ck_assert_int_eq (top_sums_slices (thread (7), 1, 1).time[TIMELINE_RUNNING], 6 * MS);
  add (110, 8, BBS_BORN, BBS_CPU_UNKNOWN);
  struct bbs_look first = look_at (120, 8, 'R', 8, 2);
  ck_assert (watched_add_look (&seen, &first));
  tick (120);
  check_times (&thread (8)->counts, 8, 2, 0, 0);
  tick (140);
  check_times (&thread (8)->counts, 28, 2, 0, 0);
  struct bbs_look behind = look_at (140, 8, 'R', 25, 2), right = look_at (145, 8, 'R', 33, 2);
  right.voluntary = 0;
  ck_assert (watched_add_look (&seen, &behind));
  tick (140);
  check_times (&thread (8)->counts, 25, 5, 0, 0); /* a thread that has never slept was ready */
  ck_assert (watched_add_look (&seen, &right));
  tick (145);
  check_times (&thread (8)->counts, 33, 2, 0, 0);
  add (150, 8, BBS_DIED, BBS_CPU_UNKNOWN);
  tick (160);
  check_times (&thread (8)->counts, 33, 2, 0, 5); /* what was told only */
  struct bbs_look slept[] = { look_at (200, 9, 'R', 0, 0), look_at (210, 9, 'R', 3, 1) };
  slept[0].voluntary = 3;
  slept[1].voluntary = 4;
  ck_assert (watched_add_look (&seen, &slept[0]) && watched_add_look (&seen, &slept[1]));
  tick (210);
  check_times (&thread (9)->counts, 3, 1, 6, 0);
  end ();
}
END_TEST

/* Rows: by a column, one of equal ones is always before the other; a filter; a thread that
   ended long ago is not there. */
START_TEST (rows)
{
  struct top_rows r = { NULL, 0, 0 };
  struct top_choice choice = { .sort = TOP_RUNS };
  begin (BBS_BY_EVENTS);
  for (uint32_t tid = 1; tid <= 4; tid++)
    ck_assert (watched_add_name (&seen, 0, tid, tid % 2 ? "Odd" : "even"));
  add (0, 3, BBS_IN, 0);
  add (0, 1, BBS_OUT_SLEEPS, 0);
  add (10, 4, BBS_DIED, 1);
  tick (1000);
  ck_assert (top_rows_choose (&r, &sums, &choice));
  ck_assert_uint_eq (r.n, 4);
  ck_assert_uint_eq (r.rows[0]->tid, 3);
  ck_assert_uint_eq (r.rows[1]->tid, 1);
  choice.reverse = true;
  strcpy (choice.filter, "ODD");
  ck_assert (top_rows_choose (&r, &sums, &choice));
  ck_assert_uint_eq (r.n, 2);
  ck_assert_uint_eq (r.rows[0]->tid, 1);
  choice = (struct top_choice) { .sort = TOP_NAME };
  tick (9000);
  ck_assert (top_rows_choose (&r, &sums, &choice));
  ck_assert_uint_eq (r.n, 3);
  ck_assert_uint_eq (r.rows[2]->tid, 2);
  choice.dead = true;
  ck_assert (top_rows_choose (&r, &sums, &choice));
  ck_assert_uint_eq (r.n, 4);
  top_rows_free (&r);
  end ();
}
END_TEST

/* The narrower, the fewer columns; name and share of the processor are always there. */
START_TEST (columns)
{
  int room, before = TOP_COLUMNS;
  for (int places = 200; places > 0; places--)
    {
      unsigned chosen = top_columns_that_fit (places, 0, &room);
      ck_assert (chosen & 1u << TOP_NAME && chosen & 1u << TOP_RUNS);
      ck_assert_int_le (__builtin_popcount (chosen), before);
      before = __builtin_popcount (chosen);
      ck_assert (room >= 0 || before == 2);
    }
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { life }, { told_late }, { begun_before }, { explained },
                                     { gaps }, { numbers },   { reset },        { polls },
                                     { rows }, { columns } };
  return unit_run (UNIT_SUITE ("top", UNIT_CASE (tests)));
}
