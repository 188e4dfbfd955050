/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of confidence intervals of numbers of samples: published values (the usual tables of
   exact Poisson limits, 95 %), and the definition: with the lower limit as the mean, the
   probability of so many samples or more is 2.5 %; with the upper limit, that of so many or
   fewer. */
#include <math.h>
#include <stdlib.h>

#include "testsuite/unit/unit.h"
#include "tools/view/interval.h"

START_TEST (published)
{
  static const struct {
    double samples, low, high;
  } table[] = { { 0, 0, 3.689 },         { 1, 0.0253, 5.572 },   { 2, 0.242, 7.225 },
                { 3, 0.619, 8.767 },     { 4, 1.090, 10.242 },   { 5, 1.623, 11.668 },
                { 10, 4.795, 18.390 },   { 20, 12.217, 30.888 }, { 50, 37.111, 65.919 },
                { 100, 81.364, 121.627 } };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    {
      struct interval is = interval_of_samples (table[i].samples);
      ck_assert_double_eq_tol (is.low, table[i].low, 0.0006);
      ck_assert_double_eq_tol (is.high, table[i].high, 0.0006);
    }
}
END_TEST

/* The chance of at most N events where MEAN are expected, term by term. */
static double
at_most (int n, double mean)
{
  double sum = 0;
  for (int k = 0; k <= n; k++)
    sum += exp (k * log (mean) - mean - lgamma (k + 1.0));
  return sum;
}

START_TEST (by_chance)
{
  for (int n = 1; n < 100000; n = n * 3 + 1)
    {
      struct interval is = interval_of_samples (n);
      ck_assert_double_eq_tol (1 - at_most (n - 1, is.low), 0.025, 1e-8);
      ck_assert_double_eq_tol (at_most (n, is.high), 0.025, 1e-8);
    }
}
END_TEST

/* Parts of samples lie between whole ones; very many are no harder. */
START_TEST (parts)
{
  struct interval before = { -1, 0 };
  for (double samples = 0; samples < 20; samples += 0.01)
    {
      struct interval is = interval_of_samples (samples);
      ck_assert (is.low >= before.low && is.high > before.high && is.low <= samples
                 && samples < is.high);
      before = is;
    }
  struct interval many = interval_of_samples (1e8);
  ck_assert_double_eq_tol (many.low, 1e8 - 1.96e4, 10);
  ck_assert_double_eq_tol (many.high, 1e8 + 1.96e4, 10);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { published }, { by_chance }, { parts } };
  return unit_run (UNIT_SUITE ("interval", UNIT_CASE (tests)));
}
