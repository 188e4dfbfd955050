/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of bbprof_mark; this program stands for the writer too.  Every marker is taken out once,
   whole, or counted as lost, however many threads and signal handlers set markers at the same
   time. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/observe/rings.h"
#include "testsuite/unit/unit.h"

static struct bbs_head *head;

/* As if the writer had begun to watch. */
static void
set_up (void)
{
  head = calloc (1, sizeof *head);
  bbp_options.timeline = BBS_TIMELINE_AUTO;
  bbp_process_start ();
  bbp_run_begin ();
  bbp_rings.head = head;
  bbp_rings.state = BBP_RINGS_OPEN;
}

/* Nobody is to be waited for at the end of the process. */
static void
tear_down (void)
{
  bbp_rings.head = NULL;
  free (head);
}

/* The writer's part.  False: there is none that is ready. */
static bool
take (struct bbs_mark *mark)
{
  uint64_t tail = atomic_load (&head->marks.queue.tail);
  struct bbs_mark_slot *slot = &head->marks.slots[tail % BBS_MARKS];
  if (atomic_load_explicit (&slot->ready, memory_order_acquire) != tail + 1)
    return false;
  *mark = slot->mark;
  atomic_store (&head->marks.queue.tail, tail + 1);
  return true;
}

START_TEST (says_who_and_when)
{
  struct bbs_mark mark;
  uint64_t before = bbp_run_time ();
  errno = 77;
  bbprof_mark ("here");
  ck_assert_int_eq (errno, 77);
  uint64_t after = bbp_run_time ();
  ck_assert (take (&mark));
  ck_assert_str_eq (mark.text, "here");
  ck_assert_uint_eq (mark.tid, (unsigned) syscall (SYS_gettid));
  ck_assert_uint_ge (mark.time, before);
  ck_assert_uint_le (mark.time, after);
  ck_assert (!take (&mark));
}
END_TEST

/* 47 bytes, but no part of a character; behind them zeros, whatever was in the slot before. */
START_TEST (cuts_long_texts)
{
  static const char letters[] = "0123456789012345678901234567890123456789012345"; /* 46 */
  static const char *const more[] = { "", "6", "67", "\303\244", "6\303\244" };
  static const char *const kept[] = { "", "6", "6", "", "6" };
  for (size_t i = 0; i < BBS_MARKS; i++)
    memset (head->marks.slots[i].mark.text, 'x', sizeof head->marks.slots[i].mark.text);
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    {
      struct bbs_mark mark, zeros = { .text = "" };
      char text[64], expected[64];
      snprintf (text, sizeof text, "%s%s", letters, more[i]);
      snprintf (expected, sizeof expected, "%s%s", letters, kept[i]);
      bbprof_mark (text);
      ck_assert (take (&mark));
      size_t n = strlen (mark.text);
      ck_assert_str_eq (mark.text, expected);
      ck_assert_mem_eq (mark.text + n, zeros.text, sizeof mark.text - n);
    }
}
END_TEST

START_TEST (loses_what_has_no_room)
{
  struct bbs_mark mark;
  char text[16];
  for (int i = 0; i < BBS_MARKS + 5; i++)
    {
      snprintf (text, sizeof text, "%d", i);
      bbprof_mark (text);
      ck_assert_uint_eq (atomic_load (&head->doorbell), i + 1 >= BBS_MARKS / 2);
    }
  ck_assert_uint_eq (atomic_load (&head->marks.queue.lost), 5);
  for (int i = 0; i < BBS_MARKS; i++)
    {
      ck_assert (take (&mark));
      ck_assert_int_eq (atoi (mark.text), i);
    }
  ck_assert (!take (&mark));
  bbprof_mark ("again");
  ck_assert (take (&mark));
  ck_assert_str_eq (mark.text, "again");
}
END_TEST

START_TEST (only_where_there_is_a_timeline)
{
  int status;
  bbp_rings.state = BBP_RINGS_CLOSED;
  bbprof_mark ("too late");
  bbp_rings.state = BBP_RINGS_OPEN;
  bbp_options.timeline = BBS_TIMELINE_NONE;
  bbprof_mark ("not asked for");
  bbp_options.timeline = BBS_TIMELINE_POLLS;
  pid_t child = vfork (); /* another process, in the same memory */
  if (child == 0)
    {
      bbprof_mark ("not the process that is watched");
      _exit (0);
    }
  ck_assert_int_eq (waitpid (child, &status, 0), child);
  ck_assert_uint_eq (atomic_load (&head->marks.queue.head), 0);
  bbprof_mark ("now");
  ck_assert_uint_eq (atomic_load (&head->marks.queue.head), 1);
}
END_TEST

/* Threads that set marks "THREAD NUMBER NUMBER", and are interrupted by a handler that sets some
   too. */
enum { THREADS = 4, EACH = 20000 };
static struct {
  pthread_t thread;
  int interrupts; /* that its handler has marked */
} threads[THREADS];
static __thread int self;
static atomic_int running;

static void
set_mark (const char *kind, int number)
{
  char text[48];
  snprintf (text, sizeof text, "%s %d %d %d", kind, self, number, number);
  bbprof_mark (text);
}

static void
interrupt (int number)
{
  (void) number;
  set_mark ("handler", ++threads[self].interrupts);
}

static void *
set_marks (void *argument)
{
  self = (int) (intptr_t) argument;
  for (int i = 1; i <= EACH; i++)
    {
      set_mark ("thread", i);
      if (i % 10 == 0)
        raise (SIGUSR1);
    }
  atomic_fetch_sub (&running, 1);
  return NULL;
}

/* Marks of one thread, or of its handler, come in their order. */
static void
check_mark (const struct bbs_mark *mark, int last[THREADS][2])
{
  char kind[16];
  int thread, number, again;
  ck_assert_int_eq (sscanf (mark->text, "%15s %d %d %d", kind, &thread, &number, &again), 4);
  ck_assert_int_eq (number, again);
  ck_assert_int_lt (thread, THREADS);
  int *before = &last[thread][strcmp (kind, "thread") == 0];
  ck_assert_int_gt (number, *before);
  *before = number;
}

START_TEST (of_many_threads_and_handlers)
{
  static int last[THREADS][2];
  struct bbs_mark mark;
  uint64_t taken = 0, set = 0;
  signal (SIGUSR1, interrupt);
  running = THREADS;
  for (intptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq (pthread_create (&threads[i].thread, NULL, set_marks, (void *) i), 0);
  for (bool goes_on = true; goes_on;)
    {
      goes_on = atomic_load (&running) > 0;
      while (take (&mark))
        {
          check_mark (&mark, last);
          taken++;
        }
      sched_yield ();
    }
  for (int i = 0; i < THREADS; i++)
    {
      pthread_join (threads[i].thread, NULL);
      set += EACH + (unsigned) threads[i].interrupts;
    }
  ck_assert_uint_eq (set, THREADS * (EACH + EACH / 10));
  ck_assert_uint_eq (taken + atomic_load (&head->marks.queue.lost), set);
  ck_assert_uint_ge (taken, BBS_MARKS);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { says_who_and_when },
                                     { cuts_long_texts },
                                     { loses_what_has_no_room },
                                     { only_where_there_is_a_timeline },
                                     { of_many_threads_and_handlers } };
  return unit_run (
      UNIT_SUITE ("marks", UNIT_CASE (tests, .set_up = set_up, .tear_down = tear_down)));
}
