/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of timelines, of hand-written records. */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/tools/fake_timeline.h"
#include "testsuite/unit/unit.h"
#include "tools/intervals/timeline_own.h"

/* Each thread's intervals cover its life. */
static void
check_cover (const struct timeline *t)
{
  for (size_t i = 0; i < t->nthreads; i++)
    {
      const struct timeline_thread *thread = &t->threads[i];
      uint64_t time = thread->begun;
      for (size_t n = 0; n < thread->nintervals; n++)
        {
          ck_assert_uint_eq (thread->intervals[n].start, time);
          ck_assert_uint_lt (time, thread->intervals[n].end);
          time = thread->intervals[n].end;
        }
      ck_assert_uint_eq (time, thread->ended);
      ck_assert_ptr_nonnull (thread->name);
    }
}

START_TEST (example)
{
  struct timeline t;
  fake_timeline (&t);
  check_cover (&t);
  ck_assert_uint_eq (t.nthreads, 4);
  ck_assert_uint_eq (t.cpus, 2);
  ck_assert_uint_eq (t.end, 20000000);
  ck_assert_str_eq (t.threads[1].name, "worker");
  ck_assert_uint_eq (t.nmarks, 2);
  ck_assert_uint_eq (t.marks[0].thread, 0);
  timeline_close (&t);
}
END_TEST

/* One thread's intervals, as text: a letter for the state, its end; e: estimated, p: preempted. */
static const char *
show (const struct timeline_thread *thread)
{
  static char text[1024];
  size_t n = (size_t) snprintf (text, sizeof text, "%lu:", (unsigned long) thread->begun);
  for (size_t i = 0; i < thread->nintervals && n < sizeof text; i++)
    {
      const struct timeline_interval *x = &thread->intervals[i];
      n += (size_t) snprintf (text + n, sizeof text - n, " %c%lu%s%s", "RWS?"[x->state],
                              (unsigned long) x -> end, x -> preempted ? "p" : "",
                              x->estimated ? "e" : "");
    }
  return text;
}

static struct fake fake;
static struct timeline timeline;

static void
setup (void)
{
  fake_begin (&fake);
}

static void
teardown (void)
{
  timeline_close (&timeline);
}

static void
play (const char *should)
{
  fake_make (&timeline, &fake);
  check_cover (&timeline);
  ck_assert_str_eq (show (&timeline.threads[0]), should);
}

static void
look (uint64_t time, char state, uint64_t run, uint64_t wait)
{
  fake_look (&fake, time, 1, state, BBS_WHY_NOT_KNOWN, BBS_CALL_NOT_KNOWN, run, wait);
}

static void
in (uint64_t time, unsigned cpu)
{
  fake_switch (&fake, time, 1, cpu, BBS_IN);
}

static void
sleeps (uint64_t time, unsigned cpu)
{
  fake_switch (&fake, time, 1, cpu, BBS_OUT_SLEEPS);
}

static void
leaves (uint64_t time, unsigned cpu)
{
  fake_switch (&fake, time, 1, cpu, BBS_OUT_READY);
}

START_TEST (states)
{
  fake_switch (&fake, 10, 1, 0, BBS_BORN);
  in (20, 1);
  leaves (30, 1);
  in (40, 0);
  sleeps (50, 0);
  in (70, 0);
  fake_switch (&fake, 90, 1, 0, BBS_DIED);
  play ("10: W20 R30 W40p R50 S70e R90");
  const struct timeline_sums *s = &timeline.threads[0].sums;
  ck_assert_uint_eq (s->voluntary, 1);
  ck_assert_uint_eq (s->involuntary, 1);
  ck_assert_uint_eq (s->migrations, 1);
  ck_assert_uint_eq (s->time[TIMELINE_RUNNING], 40);
  ck_assert_uint_eq (s->time[TIMELINE_READY], 20);
  ck_assert_uint_eq (s->time[TIMELINE_SLEEPING], 20);
  ck_assert_uint_eq (timeline.threads[0].intervals[1].cpu, 1);
}
END_TEST

/* Only from where it was seen to run: a look says on which processor a thread has been, too,
   before it was watched. */
START_TEST (first_migration)
{
  static const char found[] = "SRR";
  bool leaves_first = _i == 2;
  look (0, found[_i], 0, 0);
  if (leaves_first)
    leaves (5, 0);
  in (10, 1);
  sleeps (20, 1);
  play (_i == 0 ? "0: S10e R20" : leaves_first ? "0: R5 W10p R20" : "0: W10 R20");
  ck_assert_uint_eq (timeline.threads[0].sums.migrations, leaves_first);
}
END_TEST

START_TEST (windows)
{
  in (20, 1);
  leaves (30, 1);
  in (40, 0);
  sleeps (50, 0);
  in (70, 1);
  sleeps (90, 1);
  play ("0: ?20 R30 W40p R50 S70e R90");
  const struct timeline_thread *t = &timeline.threads[0];
  struct timeline_sums s = timeline_sum (t, 25, 60);
  ck_assert_uint_eq (s.time[TIMELINE_RUNNING], 15);
  ck_assert_uint_eq (s.time[TIMELINE_READY], 10);
  ck_assert_uint_eq (s.time[TIMELINE_SLEEPING], 10);
  ck_assert_uint_eq (s.why[BBS_WHY_NOT_KNOWN], 10);
  ck_assert_uint_eq (s.voluntary, 1);
  ck_assert_uint_eq (s.involuntary, 1);
  ck_assert_uint_eq (s.migrations, 1);
  s = timeline_sum (t, 31, 40);
  ck_assert_uint_eq (s.involuntary + s.voluntary + s.migrations, 0);
  s = timeline_sum (t, 60, 80);
  ck_assert_uint_eq (s.migrations, 1);
  ck_assert_ptr_eq (timeline_at (t, 30), &t->intervals[2]);
  ck_assert_ptr_eq (timeline_at (t, 89), &t->intervals[5]);
  ck_assert_ptr_null (timeline_at (t, 90));
}
END_TEST

/* Threads older than the recording: a poll does not tell a running thread from a ready one; the
   next record does. */
START_TEST (first_looks)
{
  look (5, 'R', 0, 0);
  fake_look (&fake, 5, 2, 'R', BBS_WHY_NOT_KNOWN, -1, 0, 0);
  fake_look (&fake, 5, 3, 'S', BBS_WHY_NOT_KNOWN, -1, 0, 0);
  fake_look (&fake, 5, 4, 'R', BBS_WHY_NOT_KNOWN, -1, 0, 0);
  leaves (20, 1);
  fake_switch (&fake, 21, 2, 1, BBS_IN);
  fake_switch (&fake, 30, 3, 0, BBS_IN);
  fake_switch (&fake, 40, 5, 1, BBS_OUT_SLEEPS);
  fake_switch (&fake, 50, 6, 1, BBS_IN);
  fake_switch (&fake, 60, 6, 1, BBS_OUT_SLEEPS);
  play ("0: R40 S60"); /* of a thread without earlier records: since the beginning */
  ck_assert_uint_eq (timeline.nthreads, 6);
  ck_assert_str_eq (show (&timeline.threads[1]), "0: ?50 R60");
  ck_assert_str_eq (show (&timeline.threads[2]), "5: R20 W60p");
  ck_assert_str_eq (show (&timeline.threads[3]), "5: W21 R60");
  ck_assert_str_eq (show (&timeline.threads[4]), "5: S30e R60");
  ck_assert_str_eq (show (&timeline.threads[5]), "5: R60");
}
END_TEST

START_TEST (contradictions)
{
  look (0, 'S', 0, 0);
  in (10, 0);
  in (30, 1); /* it has left, nobody knows when */
  sleeps (40, 1);
  sleeps (60, 0); /* it has come, likewise */
  in (70, 0);
  sleeps (80, 1); /* elsewhere, likewise */
  in (90, 1);
  leaves (95, 1);
  play ("0: S10 ?30 R40 ?60 S70 ?80 S90e R95");
}
END_TEST

START_TEST (gaps)
{
  look (0, 'S', 0, 0);
  fake_look (&fake, 0, 2, 'S', BBS_WHY_NOT_KNOWN, -1, 0, 0);
  fake_look (&fake, 0, 3, 'S', BBS_WHY_NOT_KNOWN, -1, 0, 0);
  in (10, 0);
  fake_switch (&fake, 20, 2, 1, BBS_IN);
  fake_switch (&fake, 40, 9, 0, BBS_GAP); /* from 10 on */
  sleeps (50, 0);
  fake_switch (&fake, 55, 2, 1, BBS_OUT_SLEEPS);
  fake_switch (&fake, 60, 3, 0, BBS_OUT_SLEEPS); /* it came in the gap */
  play ("0: S10 ?40 R50 S60");
  ck_assert_str_eq (show (&timeline.threads[1]), "0: S10 ?20 R55 S60");
  ck_assert_str_eq (show (&timeline.threads[2]), "0: S10 ?40 R60");
}
END_TEST

/* Two gaps in one sleep: between them it slept. */
START_TEST (gap_after_gap)
{
  look (0, 'S', 0, 0);
  in (10, 0);
  sleeps (20, 0);
  fake_switch (&fake, 30, 9, 0, BBS_GAP);
  fake_switch (&fake, 40, 2, 0, BBS_BORN);
  fake_switch (&fake, 41, 2, 0, BBS_IN);
  fake_switch (&fake, 50, 9, 0, BBS_GAP);
  in (60, 1);
  leaves (70, 1);
  play ("0: S10e R20 ?30 S41 ?50 S60e R70");
}
END_TEST

START_TEST (lives)
{
  fake_switch (&fake, 10, 1, 0, BBS_BORN);
  in (20, 0);
  fake_switch (&fake, 30, 1, 0, BBS_DIED);
  sleeps (31, 0); /* of its end */
  fake_switch (&fake, 40, 1, 0, BBS_BORN);
  in (45, 0);
  fake_switch (&fake, 50, 1, 0, BBS_BORN); /* a death was lost */
  in (55, 0);
  fake_switch (&fake, 60, 1, 0, BBS_DIED);
  in (70, 1); /* after exec the leader's number is another thread's */
  leaves (80, 1);
  fake_name (&fake, 10, 1, "one");
  fake_name (&fake, 45, 1, "two");
  fake_mark (&fake, 57, 1, "third");
  fake_sampled (&fake, 7, 1, 21, 29, 9, "old");
  fake_sampled (&fake, 8, 1, 72, 0, 33, "exec");
  fake_sampled (&fake, 9, 4, 30, 60, 5, "bare");
  play ("10: W20 R30");
  ck_assert_uint_eq (timeline.nthreads, 5);
  ck_assert_str_eq (timeline.threads[0].name, "one");
  ck_assert_uint_eq (timeline.threads[0].number, 7);
  ck_assert_uint_eq (timeline.threads[0].cpu, 9);
  ck_assert_str_eq (show (&timeline.threads[1]), "30: ?60");
  ck_assert_uint_eq (timeline.threads[1].number, 9);
  ck_assert_str_eq (show (&timeline.threads[2]), "40: W45 R50");
  ck_assert_str_eq (timeline.threads[2].name, "two");
  ck_assert_uint_eq (timeline.threads[2].cpu, BBS_NOT_KNOWN);
  ck_assert_str_eq (show (&timeline.threads[3]), "50: W55 R60");
  ck_assert_uint_eq (timeline.marks[0].thread, 3);
  ck_assert_str_eq (show (&timeline.threads[4]), "70: R80");
  ck_assert_uint_eq (timeline.threads[4].number, 8);
}
END_TEST

static void
why_at (uint64_t time, enum bbs_why why, bool estimated)
{
  const struct timeline_interval *i = timeline_at (&timeline.threads[0], time);
  ck_assert_uint_eq (i->why, why);
  ck_assert_int_eq (i->estimated, estimated);
}

START_TEST (reasons)
{
  look (0, 'S', 0, 0);
  in (10, 0);
  sleeps (20, 0);
  fake_look (&fake, 30, 1, 'S', BBS_WHY_LOCK, 202, BBS_NOT_KNOWN, 0);
  in (40, 0);
  sleeps (50, 0); /* nobody looked */
  in (60, 0);
  sleeps (70, 0);
  fake_look (&fake, 80, 1, 'S', BBS_WHY_MEMORY, -1, BBS_NOT_KNOWN, 0);
  in (90, 0);
  sleeps (100, 0);
  fake_look (&fake, 105, 1, 'S', BBS_WHY_LOCK, 202, BBS_NOT_KNOWN, 0);
  in (110, 0);
  play ("0: S10e R20 S40 R50 S60e R70 S90 R100 S110");
  why_at (25, BBS_WHY_LOCK, false);
  why_at (55, BBS_WHY_LOCK, true);
  why_at (75, BBS_WHY_MEMORY, false);
  ck_assert_uint_eq (timeline.threads[0].sums.why[BBS_WHY_LOCK], 50);
  char text[64];
  timeline_reason (timeline_at (&timeline.threads[0], 25), text, sizeof text);
  ck_assert_str_eq (text, "futex (lock)");
  timeline_reason (timeline_at (&timeline.threads[0], 75), text, sizeof text);
  ck_assert_str_eq (text, "page fault");
}
END_TEST

/* A look that cannot say which sleep it saw is of no sleep in particular. */
START_TEST (unbound_reasons)
{
  look (0, 'S', 0, 0);
  in (10, 0);
  sleeps (20, 0);
  in (22, 0);
  fake_look (&fake, 23, 1, 0, BBS_WHY_PIPE, 0, BBS_NOT_KNOWN, 0);
  sleeps (30, 0);
  fake_look (&fake, 50, 1, 'S', BBS_WHY_TIME, 230, BBS_NOT_KNOWN, 0);
  in (60, 0);
  play ("0: S10e R20 S22e R30 S60");
  why_at (21, BBS_WHY_PIPE, true);
  why_at (40, BBS_WHY_TIME, false);
}
END_TEST

/* Sleeps that nobody looked at are like those of their length, though others are nearer. */
START_TEST (similar_reasons)
{
  /* Is no witness: it waits for the watching thread. */
  fake_look (&fake, 0, 1, 'S', BBS_WHY_LOCK, 202, BBS_NOT_KNOWN, BBS_NOT_KNOWN);
  in (10, 0);
  sleeps (20, 0);
  fake_look (&fake, 30, 1, 'S', BBS_WHY_TIME, 230, BBS_NOT_KNOWN, 0);
  in (36, 0);
  for (uint64_t at = 100; at < 600; at += 100)
    {
      sleeps (at, 0);
      fake_look (&fake, at + 50, 1, 'S', BBS_WHY_LOCK, 202, BBS_NOT_KNOWN, 0);
      in (at + 90, 0);
    }
  sleeps (600, 0); /* nobody looked: 12, then 80 */
  in (612, 0);
  sleeps (620, 0);
  in (700, 0);
  play ("0: S10e R20 S36 R100 S190 R200 S290 R300 S390 R400 S490 R500 S590e R600 S612e R620 S700e");
  why_at (605, BBS_WHY_TIME, true);
  why_at (650, BBS_WHY_LOCK, true);
}
END_TEST

/* The part of the kernel's sum that is not from preemption was at the end of a sleep: 5 + 7. */
START_TEST (waits)
{
  look (0, 'S', BBS_NOT_KNOWN, 100);
  in (10, 0);
  leaves (20, 0);
  in (25, 0);
  sleeps (30, 0);
  look (35, 'S', BBS_NOT_KNOWN, 108); /* 5 + 3 of the first sleep */
  in (50, 0);
  sleeps (60, 0);
  in (62, 0);
  sleeps (70, 0);
  in (100, 0);
  sleeps (110, 0);
  look (120, 'S', BBS_NOT_KNOWN, 120); /* of three sleeps: 2, 5, 5 */
  in (130, 0);
  sleeps (140, 0);
  look (150, 'S', BBS_NOT_KNOWN, 1000); /* more than it slept */
  play ("0: S7 W10 R20 W25p R30 S45 W50e R60 W62e R70 S95 W100e R110 W130 R140 S150");
  ck_assert_uint_eq (timeline.threads[0].sums.time[TIMELINE_READY], 8 + 12 + 20);
}
END_TEST

/* The kernel has charged 12 and 6 more than the records show: 6 each, except where another thread
   had the processor. */
START_TEST (charges)
{
  fake_switch (&fake, 10, 1, 0, BBS_BORN);
  in (20, 0);
  sleeps (100, 0);
  in (200, 0);
  sleeps (300, 0);
  look (400, 'S', 192, BBS_NOT_KNOWN);
  fake_switch (&fake, 480, 2, 0, BBS_BORN);
  fake_switch (&fake, 490, 2, 0, BBS_IN);
  fake_switch (&fake, 497, 2, 0, BBS_OUT_SLEEPS);
  in (500, 0);
  sleeps (600, 0);
  look (700, 'S', 298, BBS_NOT_KNOWN);
  in (800, 0);
  sleeps (900, 0);
  play ("10: W14 R100 S194e R300 S497e R600 S794e R900");
}
END_TEST

/* It has charged 7 less than the records tell: 3 each, but where a run was shorter. */
START_TEST (charges_less)
{
  fake_switch (&fake, 10, 1, 0, BBS_BORN);
  in (20, 0);
  sleeps (100, 0);
  in (200, 0);
  leaves (300, 0);
  in (310, 0);
  sleeps (312, 0);
  look (400, 'S', 182 - 7, BBS_NOT_KNOWN);
  in (500, 0);
  play ("10: W20 R97 S200e R297 W310p R311 S500");
}
END_TEST

/* By the clock of a thread that was seen all its life it ran 15 more than the records tell: what
   the run from 60 on has no room for, as another one had the processor, the others have.  What
   came after the clock was read is not in it. */
START_TEST (clocks)
{
  fake_switch (&fake, 10, 1, 0, BBS_BORN);
  in (20, 0);
  sleeps (40, 0);
  fake_switch (&fake, 41, 2, 0, BBS_BORN);
  fake_switch (&fake, 42, 2, 0, BBS_IN);
  fake_switch (&fake, 58, 2, 0, BBS_OUT_SLEEPS);
  in (60, 0);
  sleeps (80, 0);
  in (100, 0);
  sleeps (110, 0);
  in (130, 0);
  fake_switch (&fake, 140, 1, 0, BBS_DIED);
  fake_sampled (&fake, 1, 1, 10, 136, 20 + 20 + 10 + 6 + 15, "clock");
  play ("10: W15 R40 S58e R80 S96e R110 S126e R140");
  ck_assert_uint_eq (timeline.threads[0].sums.time[TIMELINE_RUNNING], 56 + 15 + 4);
}
END_TEST

/* By its clock it ran 3 less: time that the kernel charges to nobody, as of interrupts. */
START_TEST (clocks_less)
{
  fake_switch (&fake, 10, 1, 0, BBS_BORN);
  in (20, 0);
  sleeps (40, 0);
  in (60, 0);
  leaves (70, 0);
  in (75, 0);
  fake_switch (&fake, 100, 1, 0, BBS_DIED);
  fake_sampled (&fake, 1, 1, 10, 90, 20 + 10 + 15 - 3, "less");
  play ("10: W20 R39 S60e R69 W75p R100");
}
END_TEST

/* It had run 50 before; of the 6 that are missing in the end, 4 were in what the look tells of,
   the rest behind it. */
START_TEST (clocks_of_old)
{
  look (0, 'S', 50, BBS_NOT_KNOWN);
  in (20, 0);
  sleeps (40, 0);
  look (50, 'S', 74, BBS_NOT_KNOWN);
  in (60, 0);
  sleeps (70, 0);
  fake_sampled (&fake, 1, 1, 0, 0, 86, "old");
  play ("0: S16e R40 S58e R70");
}
END_TEST

START_TEST (early_marks)
{
  fake.watch.time = 50;
  fake_mark (&fake, 20, 1, "early");
  fake_mark (&fake, 90, 1, "late");
  look (60, 'S', 0, 0);
  in (70, 0);
  sleeps (80, 0);
  play ("60: S70e R80 S90");
  ck_assert_uint_eq (timeline.start, 20);
  ck_assert_uint_eq (timeline.end, 90);
  ck_assert_uint_eq (timeline.marks[0].thread, 0);
}
END_TEST

START_TEST (samples)
{
  static const struct timeline_node nodes[]
      = { { 0, NULL }, { 0, NULL }, { 1, "main" }, { 2, "work" } };
  static const struct bbs_sample taken[] = { { 12, 3, 1, 0, 0, 0 },
                                             { 18, 2, 2, 0, 0, 0 },
                                             { 35, 3, 1, BBS_SLEEPS, 0, 0 },
                                             { 52, 99, 1, 0, 0, 0 } };
  look (0, 'S', 0, 0);
  in (10, 0);
  sleeps (30, 0);
  in (50, 0);
  sleeps (60, 0);
  fake_sampled (&fake, 4, 1, 0, 0, 30, "x");
  play ("0: S10e R30 S50e R60");
  ck_assert (timeline_set_stacks (&timeline, nodes, 4));
  ck_assert (timeline_add_samples (&timeline, 4, taken, 4)
             && timeline_add_samples (&timeline, 5, taken, 4));
  const struct timeline_thread *t = &timeline.threads[0];
  ck_assert_uint_eq (t->nsamples, 4);
  ck_assert_uint_eq (t->samples[0].time, 12);
  ck_assert_uint_eq (t->samples[0].stack, 3);
  ck_assert_uint_eq (t->samples[1].ticks, 2);
  ck_assert (!t->samples[1].sleeps && t->samples[2].sleeps);
  ck_assert_uint_eq (t->samples[3].stack, 0); /* no such node */
  ck_assert_uint_eq (timeline_stacks (&timeline), 4);
  ck_assert_str_eq (timeline_frame (&timeline, 3, 0), "work");
  ck_assert_str_eq (timeline_frame (&timeline, 3, 1), "main");
  ck_assert_ptr_null (timeline_frame (&timeline, 3, 2));
  ck_assert_ptr_null (timeline_frame (&timeline, 0, 0));
}
END_TEST

enum { MS = 1000000 };

/* Sums are the kernel's, whatever the order was. */
START_TEST (polls)
{
  fake.watch.how = BBS_BY_POLLS;
  fake.watch.rate = 1000;
  fake_switch (&fake, MS, 1, BBS_CPU_UNKNOWN, BBS_BORN);
  look (2 * MS, 'S', MS / 2, MS / 4);
  fake_look (&fake, 20 * MS, 1, 'R', BBS_WHY_LOCK, 202, MS, MS / 2);
  look (21 * MS, 'R', 5 * MS, MS / 2); /* a tick at once */
  look (22 * MS, 'S', 6 * MS, MS);
  fake_switch (&fake, 30 * MS, 1, BBS_CPU_UNKNOWN, BBS_DIED);
  fake_make (&timeline, &fake);
  check_cover (&timeline);
  const struct timeline_thread *t = &timeline.threads[0];
  ck_assert_uint_eq (t->sums.time[TIMELINE_RUNNING], 6 * MS);
  ck_assert_uint_eq (t->sums.time[TIMELINE_READY], MS);
  ck_assert_uint_eq (t->sums.time[TIMELINE_SLEEPING], 22 * MS);
  ck_assert_uint_eq (timeline_at (t, 8 * MS)->state, TIMELINE_SLEEPING);
  /* A look comes soon after a wake-up. */
  ck_assert_uint_eq (timeline_at (t, 15 * MS)->state, TIMELINE_SLEEPING);
  ck_assert_uint_eq (timeline_at (t, 25 * MS)->state, TIMELINE_SLEEPING);
  for (size_t i = 0; i < t->nintervals; i++)
    ck_assert (t->intervals[i].estimated);
}
END_TEST

/* A thread that ends before its next poll, or before its first: its clock knows what it ran. */
START_TEST (polls_rest)
{
  fake.watch.how = BBS_BY_POLLS;
  fake_switch (&fake, 10, 1, BBS_CPU_UNKNOWN, BBS_BORN);
  look (50, 'R', 30, 10);
  fake_switch (&fake, 100, 1, BBS_CPU_UNKNOWN, BBS_DIED);
  look (200, 'Z', 30, 10);
  fake_sampled (&fake, 1, 1, 12, 98, 55, "seen");
  fake_sampled (&fake, 2, 2, 60, 90, 40, "unseen");
  play ("10: W20e R50e ?73e R98e");
  ck_assert_uint_eq (timeline.threads[0].sums.time[TIMELINE_RUNNING], 55);
  ck_assert_uint_eq (timeline.threads[0].sums.time[TIMELINE_UNKNOWN], 23);
  ck_assert_str_eq (show (&timeline.threads[1]), "60: R90e");
}
END_TEST

/* Its birth was seen late, but by then it had run 4 more than the time since then, and waited 3. */
START_TEST (polls_late)
{
  fake.watch.how = BBS_BY_POLLS;
  fake_switch (&fake, 20, 1, BBS_CPU_UNKNOWN, BBS_BORN);
  look (50, 'S', 34, 3);
  fake_switch (&fake, 100, 1, BBS_CPU_UNKNOWN, BBS_DIED);
  fake_sampled (&fake, 1, 1, 12, 100, 34, "late");
  play ("12: ?13e W16e R20e R50e S100e");
  ck_assert_uint_eq (timeline.threads[0].sums.time[TIMELINE_RUNNING], 34);
  ck_assert_uint_eq (timeline.threads[0].sums.time[TIMELINE_UNKNOWN], 1);
}
END_TEST

/* Whatever the records are, each thread does one thing at each time of its life. */
static uint64_t seed;

static uint64_t
chance (uint64_t n)
{
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return (seed >> 33) % n;
}

START_TEST (garbage)
{
  seed = (uint64_t) _i + 1;
  uint64_t time = 0, run = 0;
  fake.watch.how = _i % 2 ? BBS_BY_EVENTS : BBS_BY_POLLS;
  fake.watch.rate = (uint32_t) chance (2000);
  for (int i = 0; i < 400; i++)
    {
      time += chance (50) == 0 ? -chance (500) : chance (100);
      run += chance (40) == 0 ? BBS_NOT_KNOWN / 2 : chance (60);
      uint32_t tid = (uint32_t) chance (6);
      switch (chance (8))
        {
        case 0:
          fake_look (&fake, time, tid, "RSDTtZ?"[chance (7)] & (chance (9) ? 0xff : 0),
                     (enum bbs_why) chance (BBS_WHYS + 3), (int) chance (700) - 4,
                     chance (5) ? run : BBS_NOT_KNOWN, chance (5) ? run / 2 : BBS_NOT_KNOWN);
          if (chance (2))
            fake_lock (&fake, 8 * chance (4), (enum bbs_lock) chance (BBS_LOCKS),
                       (uint32_t) chance (8));
          break;
        case 1:
          fake_mark (&fake, time, tid, "mark");
          fake_name (&fake, time, tid, chance (9) ? "name" : "bbprof-ticker");
          break;
        case 2:
          if (fake.nthreads < 16)
            fake_sampled (&fake, (uint32_t) chance (9), tid, chance (30000), chance (30000), run,
                          "sampled");
          break;
        default:
          fake_switch (&fake, time, tid, chance (30) ? (unsigned) chance (3) : 65535,
                       (enum bbs_switch_kind) chance (BBS_SWITCH_KINDS + 1));
        }
    }
  fake_make (&timeline, &fake);
  ck_assert (timeline_add_wakers (&timeline));
  for (size_t i = 0; i < timeline.nwaits; i++)
    {
      const struct timeline_wait *w = &timeline.waits[i];
      ck_assert_uint_lt (w->lock, timeline.nlocks);
      ck_assert (w->holder_source == TIMELINE_ABSENT ? w->holder == UINT32_MAX
                                                     : w->holder < timeline.nthreads);
      ck_assert (w->waker_source == TIMELINE_WAKER_ABSENT ? w->waker == UINT32_MAX
                                                          : w->waker < timeline.nthreads);
    }
  check_cover (&timeline);
  for (size_t i = 0; i < timeline.nthreads; i++)
    {
      const struct timeline_thread *t = &timeline.threads[i];
      uint64_t all = 0, middle = t->begun + (t->ended - t->begun) / 2;
      struct timeline_sums a = timeline_sum (t, t->begun, middle),
                           b = timeline_sum (t, middle, t->ended);
      for (int s = 0; s < TIMELINE_STATES; s++)
        {
          all += t->sums.time[s];
          if (middle > t->begun)
            ck_assert_uint_eq (a.time[s] + b.time[s], t->sums.time[s]);
        }
      ck_assert_uint_eq (all, t->ended - t->begun);
      ck_assert (t->ended == t->begun || timeline_at (t, middle));
    }
}
END_TEST

/* Locks: three threads, of which 1 runs on processor 0, and the others wait.  */

enum { LOCK = 0x1000, FUTEX = 202, T = 1000000 };

/* Thread TID sleeps from FROM to TO, on processor 1, and then runs a moment. */
static void
fake_wait (uint32_t tid, uint64_t from, uint64_t to)
{
  fake_switch (&fake, from * T, tid, 1, BBS_OUT_SLEEPS);
  fake_switch (&fake, to * T, tid, 1, BBS_IN);
}

static void
fake_poll (uint32_t tid, uint64_t time, enum bbs_lock type, uint32_t holder)
{
  fake_look (&fake, time * T, tid, 'S', BBS_WHY_LOCK, FUTEX, BBS_NOT_KNOWN, BBS_NOT_KNOWN);
  fake_lock (&fake, LOCK, type, holder);
}

static void
fake_threads (void)
{
  for (uint32_t tid = 1; tid <= 3; tid++)
    fake_switch (&fake, 1, tid, tid > 1, BBS_BORN);
  fake_switch (&fake, 2, 1, 0, BBS_IN);
  fake_switch (&fake, 3, 2, 1, BBS_IN);
  fake_switch (&fake, 4, 3, 2, BBS_IN);
}

/* The wait of the Nth thread at TIME; null: none. */
static const struct timeline_wait *
wait_at (size_t n, uint64_t time)
{
  const struct timeline_interval *i = timeline_at (&timeline.threads[n], time * T);
  ck_assert_ptr_nonnull (i);
  return timeline_wait_of (&timeline, i);
}

static void
play_locks (void)
{
  fake_make (&timeline, &fake);
  check_cover (&timeline);
  ck_assert (timeline_add_wakers (&timeline));
}

static void
check_holder (const struct timeline_wait *w, enum timeline_source source, uint32_t thread)
{
  ck_assert_ptr_nonnull (w);
  ck_assert_uint_eq (w->holder_source, source);
  ck_assert_uint_eq (w->holder, thread);
}

/* A mutex names its owner.  An owner that ran when a wait ended is its waker. */
START_TEST (owners)
{
  fake_threads ();
  fake_wait (2, 10, 20);
  fake_wait (3, 12, 30);
  fake_switch (&fake, 25 * T, 1, 0, BBS_OUT_SLEEPS);
  fake_switch (&fake, 40 * T, 2, 1, BBS_OUT_SLEEPS);
  fake_poll (2, 15, BBS_LOCK_LIBC, 1);
  fake_poll (3, 16, BBS_LOCK_LIBC, _i == 0 ? 1 : _i == 1 ? 99 : 3);
  watched_sort (&fake.watched);
  play_locks ();
  ck_assert_uint_eq (timeline.nlocks, 1);
  check_holder (wait_at (1, 15), TIMELINE_KNOWN, 0);
  ck_assert_uint_eq (wait_at (1, 15)->waker_source, TIMELINE_WAKER_HOLDER);
  ck_assert_uint_eq (wait_at (1, 15)->waker, 0);
  /* No thread has tid 99, and a waiter is no owner: then the other poll tells. */
  check_holder (wait_at (2, 16), TIMELINE_KNOWN, 0);
  ck_assert_uint_eq (wait_at (2, 16)->holder_time, 15 * (uint64_t) T);
  /* Thread 1 slept by then; thread 2 alone ran. */
  ck_assert_uint_eq (wait_at (2, 16)->waker_source, TIMELINE_WAKER_ONLY);
  ck_assert_uint_eq (wait_at (2, 16)->waker, 1);
  ck_assert_ptr_null (wait_at (1, 5));
}
END_TEST

/* A futex word does not: its holder is the last thread whose wait ended. */
START_TEST (inferred_owners)
{
  fake_threads ();
  fake_wait (2, 10, 20);
  fake_wait (3, 12, 30);
  if (_i == 1) /* it waits again, so it has released the lock */
    fake_wait (2, 22, 40);
  fake_switch (&fake, 50 * T, 1, 0, BBS_OUT_READY);
  fake_poll (2, 15, BBS_LOCK_FUTEX, 0);
  fake_poll (3, 16, BBS_LOCK_FUTEX, 0);
  if (_i == 1)
    fake_poll (2, 24, BBS_LOCK_FUTEX, 0);
  watched_sort (&fake.watched);
  play_locks ();
  check_holder (wait_at (1, 15), TIMELINE_ABSENT, UINT32_MAX);
  if (_i == 1)
    check_holder (wait_at (2, 16), TIMELINE_ABSENT, UINT32_MAX);
  else
    check_holder (wait_at (2, 16), TIMELINE_INFERRED, 1);
}
END_TEST

/* A sleep without a poll, between two sleeps for one lock. */
START_TEST (inferred_locks)
{
  fake_threads ();
  for (uint64_t i = 1; i <= 3; i++)
    fake_wait (2, 10 * i, 10 * i + 5);
  fake_switch (&fake, 50 * T, 2, 1, BBS_OUT_READY);
  fake_poll (2, 12, BBS_LOCK_LIBC, 1);
  fake_poll (2, 32, BBS_LOCK_LIBC, 1);
  if (_i == 1)
    fake_lock (&fake, LOCK + 64, BBS_LOCK_LIBC, 1);
  play_locks ();
  ck_assert_uint_eq (wait_at (1, 12)->source, TIMELINE_KNOWN);
  if (_i == 1)
    ck_assert_ptr_null (wait_at (1, 22));
  else
    {
      ck_assert_ptr_nonnull (wait_at (1, 22));
      ck_assert_uint_eq (wait_at (1, 22)->source, TIMELINE_INFERRED);
    }
}
END_TEST

int
main (void)
{
  const struct unit_test played[] = { { example } };
  const struct unit_test rules[] = { { states },
                                     { first_migration, .times = 3 },
                                     { windows },
                                     { first_looks },
                                     { contradictions },
                                     { gaps },
                                     { gap_after_gap },
                                     { lives },
                                     { reasons },
                                     { unbound_reasons },
                                     { similar_reasons },
                                     { waits },
                                     { charges },
                                     { charges_less },
                                     { clocks },
                                     { clocks_less },
                                     { clocks_of_old },
                                     { early_marks },
                                     { samples },
                                     { polls },
                                     { polls_rest },
                                     { polls_late },
                                     { owners, .times = 3 },
                                     { inferred_owners, .times = 2 },
                                     { inferred_locks, .times = 2 },
                                     { garbage, .times = 300 } };
  return unit_run (UNIT_SUITE ("timeline", UNIT_CASE (played),
                               UNIT_CASE (rules, .set_up = setup, .tear_down = teardown)));
}
