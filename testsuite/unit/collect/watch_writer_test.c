/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of bbprof-writer as it watches threads; this program stands for the watched process.
   Markers get into the file once, in whatever state the process leaves their ring; where threads
   cannot be watched, the file says why; what has no room is counted. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/unit/collect/shared_rings.h"
#include "testsuite/unit/own_time.h"

#define OWN_FILE "watch_writer_test.bbs"

static uint64_t
nanoseconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

static void
set_up_timeline (enum bbs_timeline timeline)
{
  set_up (OWN_FILE);
  here.head->started = nanoseconds ();
  here.head->timeline = timeline;
}

static void
wait_until_watched (void)
{
  for (int i = 0; atomic_load (&here.head->watches) == 0; i++)
    {
      ck_assert_int_lt (i, PATIENCE);
      usleep (1000);
    }
}

/* Mark I, of which each second one is overtaken by the next. */
static struct bbs_mark
truth (uint64_t i)
{
  struct bbs_mark mark = { .time = 1000 * (i ^ 1), .tid = 7 };
  snprintf (mark.text, sizeof mark.text, "mark %lu", (unsigned long) (i ^ 1));
  return mark;
}

/* Its slot; null: no room. */
static struct bbs_mark_slot *
claim (uint64_t *number)
{
  struct bbs_marks *marks = &here.head->marks;
  *number = atomic_load (&marks->queue.head);
  if (*number - atomic_load (&marks->queue.tail) >= BBS_MARKS)
    return NULL;
  atomic_store (&marks->queue.head, *number + 1);
  return &marks->slots[*number % BBS_MARKS];
}

static bool
put_mark (uint64_t i)
{
  uint64_t number;
  struct bbs_mark_slot *slot = claim (&number);
  if (!slot)
    return false;
  slot->mark = truth (i);
  atomic_store (&slot->ready, number + 1);
  return true;
}

static void
put_mark_for_sure (uint64_t i)
{
  for (int k = 0; !put_mark (i); k++)
    {
      ck_assert_int_lt (k, PATIENCE);
      usleep (1000);
    }
}

static void
wait_until_taken (void)
{
  for (int i = 0;
       atomic_load (&here.head->marks.queue.tail) != atomic_load (&here.head->marks.queue.head);
       i++)
    {
      ck_assert_int_lt (i, PATIENCE);
      usleep (1000);
    }
}

/* Marks FROM to TO of those that were put, in order of time. */
static void
check_marks (const struct samples_file *f, uint64_t from, uint64_t to)
{
  ck_assert_uint_eq (f->watched.nmarks, to - from);
  for (uint64_t i = from; i < to; i++)
    {
      const struct bbs_mark right = truth (i ^ 1);
      ck_assert_mem_eq (&f->watched.marks[i - from], &right, sizeof right);
    }
}

/* More than the ring holds; and this program has been watched meanwhile. */
static void
check_all_arrive (enum bbs_timeline timeline)
{
  enum { MANY = 3 * BBS_MARKS };
  struct samples_file f;
  set_up_timeline (timeline);
  start_writer (0);
  wait_until_watched ();
  for (uint64_t i = 0; i < MANY; i++)
    put_mark_for_sure (i);
  end ();
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  ck_assert_ptr_null (f.unwatched);
  ck_assert (f.watch.how == BBS_BY_EVENTS || f.watch.how == BBS_BY_POLLS);
  ck_assert (timeline != BBS_TIMELINE_POLLS || f.watch.how == BBS_BY_POLLS);
  check_marks (&f, 0, MANY);
  ck_assert_uint_eq (loss (&f, BBS_LOST_MARKS) + loss (&f, BBS_LOST_WATCHED), 0);
  ck_assert_uint_gt (f.watched.nswitches + f.watched.nlooks, 0);
  for (size_t i = 0; i < f.watched.nswitches; i++)
    ck_assert (f.watched.switches[i].kind == BBS_GAP
               || f.watched.switches[i].tid == (uint32_t) getpid ());
  for (size_t i = 0; i < f.watched.nlooks; i++)
    ck_assert_uint_eq (f.watched.looks[i].tid, (uint32_t) getpid ());
  samples_file_close (&f);
  tear_down ();
}

START_TEST (all_arrive)
{
  check_all_arrive (BBS_TIMELINE_AUTO);
}
END_TEST

START_TEST (all_arrive_by_polls)
{
  check_all_arrive (BBS_TIMELINE_POLLS);
}
END_TEST

/* The time from the doorbell until the monitor takes the mark out. */
static uint64_t
time_of_answer (uint64_t i)
{
  const uint64_t begin = nanoseconds ();
  put_mark_for_sure (i);
  ring_doorbell ();
  while (atomic_load (&here.head->marks.queue.tail) <= i)
    ck_assert_uint_lt (nanoseconds () - begin, PATIENCE * 1000000UL);
  return nanoseconds () - begin;
}

/* The process rings the doorbell while the monitor waits; it had all signals blocked when it made
   the writer.  The monitor answers at once.  It does not complete its wait, which takes 10 ms or
   more. */
START_TEST (doorbell_is_answered_at_once)
{
  enum { TIMES = 10, EARLY_NS = 4000000, BUSY_NS = 2000000 };
  sigset_t all, before;
  uint64_t best = UINT64_MAX;
  set_up_timeline (BBS_TIMELINE_AUTO);
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, &before);
  start_writer (0);
  sigprocmask (SIG_SETMASK, &before, NULL);
  wait_until_watched ();
  for (uint64_t i = 0; i < TIMES; i++)
    {
      const uint64_t answer = time_of_answer (i), taken = nanoseconds ();
      best = i > 0 && answer < best ? answer : best;
      while (nanoseconds () - taken < BUSY_NS)
        continue;
    }
  end ();
  ck_assert_uint_lt (best, EARLY_NS);
  tear_down ();
}
END_TEST

/* A thread that was killed inside of bbprof_mark holds up the others' marks for a moment only,
   and is counted; one that is in it at the end, too. */
START_TEST (unfinished)
{
  struct samples_file f;
  uint64_t number;
  set_up_timeline (BBS_TIMELINE_AUTO);
  start_writer (0);
  wait_until_watched ();
  ck_assert_ptr_nonnull (claim (&number));
  for (uint64_t i = 0; i < 20; i++)
    put_mark_for_sure (i);
  wait_until_taken ();
  for (uint64_t i = 20; i < 30; i++)
    put_mark_for_sure (i);
  ck_assert_ptr_nonnull (claim (&number));
  atomic_store (&here.head->marks.queue.lost, 5);
  end ();
  open_file (&f);
  ck_assert (f.whole);
  check_marks (&f, 0, 30);
  ck_assert_uint_eq (loss (&f, BBS_LOST_MARKS), 2 + 5);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* Killed with marks that the writer has not seen: all are there. */
START_TEST (killed)
{
  struct samples_file f;
  int status;
  set_up_timeline (BBS_TIMELINE_AUTO);
  pid_t process = fork ();
  if (process == 0)
    {
      here.head->pid = (uint32_t) getpid ();
      start_writer (0);
      here.head->lost_threads = (uint64_t) here.writer; /* for the other process */
      wait_until_watched ();
      put_mark_for_sure (0);
      put_mark_for_sure (1);
      wait_until_taken ();
      kill (here.writer, SIGSTOP);
      for (uint64_t i = 2; i < 100; i++)
        put_mark_for_sure (i);
      kill (getpid (), SIGKILL);
    }
  ck_assert_int_eq (waitpid (process, &status, 0), process);
  ck_assert (WIFSIGNALED (status));
  kill ((pid_t) here.head->lost_threads, SIGCONT);
  for (int i = 0; i < PATIENCE && atomic_load (&here.head->state) != BBS_ENDED; i++)
    usleep (1000);
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  check_marks (&f, 0, 100);
  ck_assert_int_ne (f.watch.how, BBS_BY_NOTHING);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* A process that does not exist cannot be watched: the writer does not wait, and the file says
   why. */
START_TEST (unwatched)
{
  struct samples_file f;
  set_up_timeline (BBS_TIMELINE_AUTO);
  pid_t gone = fork ();
  if (gone == 0)
    _exit (0);
  ck_assert_int_eq (waitpid (gone, NULL, 0), gone);
  here.head->pid = (uint32_t) gone;
  start_writer (0);
  ck_assert_int_eq (waitpid (here.writer, NULL, 0), here.writer);
  ck_assert_int_eq (here.head->watches, 1);
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  ck_assert_int_eq (f.watch.how, BBS_BY_NOTHING);
  ck_assert_ptr_nonnull (f.unwatched);
  ck_assert (f.unwatched[0] && !strchr (f.unwatched, '\n'));
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* The file may be no larger: what is in it is whole, all else is counted, the process is not
   held up. */
START_TEST (file_limit)
{
  enum { MANY = 4 * BBS_MARKS };
  struct samples_file f;
  set_up_timeline (BBS_TIMELINE_AUTO);
  start_writer (100000);
  wait_until_watched ();
  for (uint64_t i = 0; i < MANY; i++)
    put_mark_for_sure (i);
  end ();
  ck_assert_int_eq ((int) atomic_load (&here.head->failed), EFBIG);
  open_file (&f);
  ck_assert_msg (f.whole, "%s", f.why.text);
  ck_assert_uint_gt (f.watched.nmarks, 0);
  ck_assert_uint_eq (f.watched.nmarks + loss (&f, BBS_LOST_MARKS), MANY);
  ck_assert_uint_gt (loss (&f, BBS_LOST_WATCHED), 0); /* the last look at this program at least */
  samples_file_close (&f);
  tear_down ();
}
END_TEST

/* Anything may stand in the memory: the writer ends, the file is whole, texts in it have an end,
   and no time is one that cannot be. */
START_TEST (nonsense)
{
  static const uint64_t tails[] = { 0, 3, 12345, UINT64_MAX - 2 },
                        heads[] = { 2, UINT64_MAX, 12346, 5 };
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
    {
      struct samples_file f;
      set_up_timeline (BBS_TIMELINE_AUTO);
      struct bbs_marks *marks = &here.head->marks;
      memset (marks->slots, 'x', sizeof marks->slots);
      marks->slots[tails[i] % BBS_MARKS].mark.time = i < 3 ? 1000 : UINT64_MAX;
      atomic_store (&marks->slots[tails[i] % BBS_MARKS].ready, tails[i] + 1);
      atomic_store (&marks->queue.head, heads[i]);
      atomic_store (&marks->queue.tail, tails[i]);
      here.head->timeline = i % 2 ? 99 : BBS_TIMELINE_AUTO;
      start_writer (0);
      end ();
      open_file (&f);
      ck_assert_msg (f.whole, "%s", f.why.text);
      ck_assert_uint_eq (f.watched.nmarks, i < 3);
      if (i < 3)
        ck_assert_uint_eq (strlen (f.watched.marks->text), sizeof f.watched.marks->text - 1);
      samples_file_close (&f);
      tear_down ();
    }
}
END_TEST

/* Without a timeline nobody watches, and says nothing of it. */
START_TEST (none)
{
  struct samples_file f;
  set_up_timeline (BBS_TIMELINE_NONE);
  start_writer (0);
  put_mark (0);
  end ();
  open_file (&f);
  ck_assert (f.whole && f.watch.how == BBS_BY_NOTHING && !f.unwatched);
  ck_assert_uint_eq (f.watched.nmarks + f.watched.nswitches + f.watched.nlooks + f.watched.nnames,
                     0);
  samples_file_close (&f);
  tear_down ();
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { all_arrive }, { all_arrive_by_polls }, { unfinished }, { killed },
          { unwatched },  { file_limit },          { nonsense },   { none } };
  /* How soon it answers is a matter of the machine's time as well. */
  const struct unit_test timed[] = { { doorbell_is_answered_at_once } };
  int status = unit_run (UNIT_SUITE ("watch_writer", UNIT_CASE (tests)));
  if (status == EXIT_SUCCESS)
    status = own_time_run (UNIT_SUITE ("watch_writer, times", UNIT_CASE (timed)));
  unlink (OWN_FILE);
  return status;
}
