/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main of a program of unit tests: its tests in tables, each named once.

     const struct unit_test tests[] = { { empty }, { of_each_size, .times = SIZES } };
     return unit_run (UNIT_SUITE ("queue", UNIT_CASE (tests, .set_up = open_queue)));  */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Most tests of a table are a name alone. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* A test, with _i from 0 up to TIMES if that is more than one. */
struct unit_test {
  const TTest *test;
  int times;
  bool left_out;
};

/* Tests that have something set up before each, and put away after it. */
struct unit_case {
  const char *name;
  const struct unit_test *tests;
  size_t count;
  void (*set_up) (void), (*tear_down) (void);
};

struct unit_suite {
  const char *name;
  const struct unit_case *cases;
  size_t count;
};

#define UNIT_CASE(table, ...)                                                          \
  {                                                                                    \
    .name = #table, .tests = table, .count = sizeof table / sizeof *table, __VA_ARGS__ \
  }
#define UNIT_SUITE(name, ...)                                                       \
  (&(const struct unit_suite) { name, (const struct unit_case[]) { __VA_ARGS__ },   \
                                sizeof ((const struct unit_case[]) { __VA_ARGS__ }) \
                                    / sizeof (struct unit_case) })

static inline TCase *
unit_case_made (const struct unit_case *from)
{
  enum { SECONDS = 120 };
  TCase *made = tcase_create (from->name);
  tcase_set_timeout (made, SECONDS);
  tcase_add_checked_fixture (made, from->set_up, from->tear_down);
  for (const struct unit_test *t = from->tests; t < from->tests + from->count; t++)
    if (!t->left_out)
      tcase_add_loop_test (made, t->test, 0, t->times ? t->times : 1);
  return made;
}

/* The exit status of the program. */
static inline int
unit_run (const struct unit_suite *from)
{
  Suite *suite = suite_create (from->name);
  for (size_t i = 0; i < from->count; i++)
    suite_add_tcase (suite, unit_case_made (&from->cases[i]));
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
