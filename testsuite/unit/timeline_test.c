/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timelines of records written down by hand. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "fake_timeline.h"

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
  if (getenv ("SHOW_TIMELINE"))
    for (size_t i = 0; i < t.nthreads; i++)
      for (size_t n = 0; n < t.threads[i].nintervals; n++)
        {
          const struct timeline_interval *x = &t.threads[i].intervals[n];
          char reason[64];
          timeline_reason (x, reason, sizeof reason);
          printf ("%s %lu-%lu %s%s%s cpu %u %s\n", t.threads[i].name, x->start, x->end, timeline_state_name (x->state),
                  x->preempted ? " preempted" : "", x->estimated ? " estimated" : "", x->cpu, reason);
        }
  timeline_close (&t);
}
END_TEST

int
main (void)
{
  Suite *s = suite_create ("timeline");
  TCase *c = tcase_create ("played");
  tcase_add_test (c, example);
  suite_add_tcase (s, c);
  SRunner *r = srunner_create (s);
  srunner_run_all (r, CK_NORMAL);
  int failed = srunner_ntests_failed (r);
  srunner_free (r);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
