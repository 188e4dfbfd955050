/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of budget rules: the meaning of each line, the messages about invalid lines, and the
   exact comparison that rules need. */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/unit.h"
#include "tools/check/budget.h"

static struct budget budget;
static struct error err;

static void
teardown (void)
{
  budget_free (&budget);
}

static const struct budget_rule *
add (const char *line)
{
  size_t n = budget.count;
  memset (&err, 0, sizeof err);
  ck_assert_msg (budget_add (&budget, line, 7, "file", &err), "%s", err.text);
  ck_assert_uint_eq (budget.count, n + 1);
  return &budget.rules[n];
}

START_TEST (rules)
{
  const struct budget_rule *r = add ("total executions +0.1%");
  ck_assert (r->scope == BUDGET_TOTAL && r->metric == METRIC_EXECUTIONS && r->kind == BUDGET_PERCENT
             && r->line == 7);
  ck_assert_uint_eq (r->growth, 100000);
  r = add ("  hot   calls\t+100   # a comment");
  ck_assert (r->scope == BUDGET_HOT && r->part == 1 && r->metric == METRIC_CALLS
             && r->kind == BUDGET_MORE && r->limit == 100);
  ck_assert_str_eq (r->text, "hot calls +100");
  r = add ("hot 2.5% calls 1.5k");
  ck_assert (r->part == 2.5 && r->kind == BUDGET_MOST && r->limit == 1500);
  r = add ("function \"ns::f(int, int)\" work 42");
  ck_assert (r->scope == BUDGET_FUNCTION && r->metric == METRIC_WORK && r->limit == 42);
  ck_assert_str_eq (r->pattern, "ns::f(int, int)");
  ck_assert_str_eq (r->text, "function \"ns::f(int, int)\" work 42");
  r = add ("function \"a#b\" calls 0");
  ck_assert_str_eq (r->text, "function \"a#b\" calls 0");
  r = add ("total time +5% p<0.001");
  ck_assert (r->metric == METRIC_TIME && r->p == 0.001 && r->growth == 5000000);
  r = add ("function f* time +20ms");
  ck_assert (r->kind == BUDGET_MORE && r->p == 0.01);
  ck_assert_double_eq_tol (r->limit, 0.02, 1e-12);
  ck_assert_double_eq_tol (add ("total time 1.5s")->limit, 1.5, 1e-12);
  ck_assert_uint_eq (add ("total calls +.000001%")->growth, 1);
  ck_assert_uint_eq (add ("total calls +0%")->growth, 0);
}
END_TEST

START_TEST (no_rules)
{
  static const char *const lines[] = { "", "   ", "# total", "\t# x\n", "\n" };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    ck_assert (budget_add (&budget, lines[i], 1, "file", &err));
  ck_assert_uint_eq (budget.count, 0);
}
END_TEST

START_TEST (wrong)
{
  static const char *const lines[][2] = {
    { "all executions +1%", "begins with" },
    { "total", "a metric is missing" },
    { "total size 3", "not 'size'" },
    { "total executions", "a limit is missing" },
    { "total executions x", "not 'x'" },
    { "total executions -1%", "not '-1%'" },
    { "total executions 1%", "+N%" },
    { "total executions +1.1234567%", "six digits" },
    { "total executions +1.2.3%", "not '+1.2.3%'" },
    { "total executions +99999999999999999%", "" },
    { "total executions 0x10", "k, M or G" },
    { "total executions 1e5", "k, M or G" },
    { "total executions 5s", "k, M or G" },
    { "total time 5", "unit" },
    { "total time +5k", "unit" },
    { "total work 5", "per function" },
    { "function", "name" },
    { "function f", "a metric is missing" },
    { "total calls 5 p<0.1", "unexpected" },
    { "total time +5% p<2", "probability" },
    { "total time +5% p<0.1 x", "unexpected 'x'" },
    { "total time +5% p=0.1", "unexpected" },
    { "function \"f calls 1", "quotation" },
    { "total calls 5 6", "unexpected '6'" },
    { "total calls +nan%", "not" },
    { "total calls inf", "not" },
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    {
      ck_assert_msg (!budget_add (&budget, lines[i][0], 12, "file", &err), "'%s' passes",
                     lines[i][0]);
      ck_assert_str_eq (err.file, "file");
      ck_assert_msg (strncmp (err.text, "line 12: ", 9) == 0 && strstr (err.text, lines[i][1]),
                     "%s: %s", lines[i][0], err.text);
    }
  ck_assert_uint_eq (budget.count, 0);
}
END_TEST

START_TEST (defaults)
{
  ck_assert (budget_default (&budget, true, true));
  ck_assert_uint_eq (budget.count, 2);
}
END_TEST

/* The limit itself is within, one more is not, whatever the size. */
START_TEST (exact)
{
  struct fraction before = { 1000000, 1 };
  ck_assert (!fraction_is_above ((struct fraction) { 1001000, 1 }, before, 100000));
  ck_assert (fraction_is_above ((struct fraction) { 1001001, 1 }, before, 100000));
  ck_assert (!fraction_is_above ((struct fraction) { 3003000, 3 }, before, 100000));
  ck_assert (fraction_is_above ((struct fraction) { 3003001, 3 }, before, 100000));
  before = (struct fraction) { 1000000000000000000, 1 };
  ck_assert (!fraction_is_above (before, before, 0));
  ck_assert (fraction_is_above ((struct fraction) { 1000000000000000001, 1 }, before, 0));
  ck_assert (fraction_is_above ((struct fraction) { 1, 1 }, (struct fraction) { 0, 1 }, 100000));
  before = (struct fraction) { UINT64_MAX, UINT64_MAX / 2 };
  ck_assert (!fraction_is_above (before, before, 1));
  ck_assert (fraction_is_above ((struct fraction) { UINT64_MAX, UINT64_MAX / 4 }, before, 1));
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { rules }, { no_rules }, { wrong }, { defaults }, { exact } };
  return unit_run (UNIT_SUITE ("budget", UNIT_CASE (tests, .tear_down = teardown)));
}
