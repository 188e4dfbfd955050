/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of significance tests of sampled times: published values (the examples of R's
   poisson.test and p.adjust), sums of probabilities term by term, and Student's distribution
   where it has a short formula. */
#include <math.h>
#include <stdlib.h>

#include "testsuite/unit/unit.h"
#include "tools/compare/significance.h"

#define PI 3.14159265358979323846

static struct significance
compare (double before, double rate_before, double now, double rate_now)
{
  return significance_of (&(struct sampled) { &before, 1, rate_before },
                          &(struct sampled) { &now, 1, rate_now });
}

/* poisson.test (c (11, 21), c (800, 3011)) doubles no tail, so its p is another; the interval is
   the same one. */
START_TEST (published)
{
  struct significance is = compare (21, 3011, 11, 800);
  ck_assert_double_eq_tol (is.ratio, 1.971488, 1e-6);
  ck_assert_double_eq_tol (is.low, 0.8584264, 1e-6);
  ck_assert_double_eq_tol (is.high, 4.2772659, 1e-6);
}
END_TEST

/* How likely at least COUNT of N are of the kind that has the probability P. */
static double
at_least (int count, int n, double p)
{
  double sum = 0;
  for (int k = count; k <= n; k++)
    sum += exp (lgamma (n + 1.0) - lgamma (k + 1.0) - lgamma (n - k + 1.0) + k * log (p)
                + (n - k) * log (1 - p));
  return sum;
}

START_TEST (by_terms)
{
  for (int before = 0; before < 4000; before = before * 2 + 1)
    for (int now = 1; now < 4000; now *= 2)
      for (double limit = 0.5; limit < 3; limit += 0.3)
        {
          double b = before, n = now, part = limit * 250 / (limit * 250 + 100);
          double is = significance_of_growth (&(struct sampled) { &b, 1, 100 },
                                              &(struct sampled) { &n, 1, 250 }, limit);
          ck_assert_double_eq_tol (is, at_least (now, before + now, part), 1e-9);
        }
}
END_TEST

START_TEST (intervals)
{
  struct significance is = compare (400, 100, 500, 100);
  double part_low = is.low / (1 + is.low), part_high = is.high / (1 + is.high);
  ck_assert_double_eq_tol (at_least (500, 900, part_low), 0.025, 1e-8);
  ck_assert_double_eq_tol (1 - at_least (501, 900, part_high), 0.025, 1e-8);
  ck_assert_double_eq_tol (is.p, 2 * at_least (500, 900, 0.5), 1e-9);
  is = compare (0, 100, 10, 100);
  ck_assert (isinf (is.ratio) && isinf (is.high) && is.low > 1 && is.p < 0.01);
  is = compare (10, 100, 0, 100);
  ck_assert (is.ratio == 0 && is.low == 0 && is.high < 1 && is.p < 0.01);
  is = compare (0, 100, 0, 100);
  ck_assert (isnan (is.ratio) && is.low == 0 && isinf (is.high) && is.p == 1);
  is = compare (1e8, 100, 1e8, 100);
  ck_assert_double_eq_tol (log (is.high), 1.959964 * sqrt (2e-8), 1e-7);
}
END_TEST

/* Two runs on each side leave two degrees of freedom, for which Student's distribution is 1/2 +
   t / (2 sqrt (2 + t^2)); with one run on one of them it is one, and an arc tangent. */
START_TEST (between_runs)
{
  const double before[] = { 100, 140 }, now[] = { 220, 260 };
  struct sampled b = { before, 2, 100 }, n = { now, 2, 100 };
  struct significance is = significance_of (&b, &n);
  /* variance: 5 times chance's. */
  double deviation = sqrt (5 * (1 / 240.5 + 1 / 480.5)), t = log (480.5 / 240.5) / deviation;
  ck_assert_double_eq (is.ratio, 2);
  ck_assert_double_eq_tol (is.p, 1 - t / sqrt (2 + t * t), 1e-9);
  ck_assert_double_eq_tol (is.low, 480.5 / 240.5 * exp (-4.302653 * deviation), 1e-6);
  ck_assert_double_eq_tol (is.high, 480.5 / 240.5 * exp (4.302653 * deviation), 1e-6);
  n = (struct sampled) { now, 1, 100 };
  deviation = sqrt (800.0 / 120 * (1 / 240.5 + 1 / 220.5));
  t = (log (220.5 / 240.5) - log (0.5)) / deviation;
  ck_assert_double_eq_tol (significance_of (&b, &n).p, 1 - 2 * atan (t) / PI, 1e-9);
}
END_TEST

/* Runs that agree are not surer than their samples. */
START_TEST (runs_that_agree)
{
  const double before[] = { 100, 100, 100 }, now[] = { 130, 130, 130 };
  double p
      = significance_of (&(struct sampled) { before, 3, 100 }, &(struct sampled) { now, 3, 100 }).p;
  ck_assert_double_ge (p, compare (300, 300, 390, 300).p);
  ck_assert_double_lt (p, 0.05);
}
END_TEST

START_TEST (excess)
{
  const double samples[] = { 130, 110 };
  double sum = 0;
  for (int k = 0; k < 130; k++)
    sum += exp (k * log (100) - 100 - lgamma (k + 1.0));
  ck_assert_double_eq_tol (significance_of_excess (&(struct sampled) { samples, 1, 50 }, 2),
                           1 - sum, 1e-9);
  ck_assert_double_eq (significance_of_excess (&(struct sampled) { samples, 1, 50 }, 3), 1);
  ck_assert_double_eq (significance_of_excess (&(struct sampled) { samples, 1, 50 }, 0), 0);
  double t = 40 / sqrt (400.0 / 240 * 240); /* the variance is 200 / 120 of chance's */
  ck_assert_double_eq_tol (significance_of_excess (&(struct sampled) { samples, 2, 50 }, 2),
                           0.5 - atan (t) / PI, 1e-9);
}
END_TEST

START_TEST (many)
{
  double p[] = { 0.01, 0.04, 0.03, 0.005 };
  static const double holm[] = { 0.03, 0.06, 0.06, 0.02 };
  ck_assert (significance_adjust (p, 4));
  for (int i = 0; i < 4; i++)
    ck_assert_double_eq_tol (p[i], holm[i], 1e-12);
  ck_assert (significance_adjust (p, 0));
}
END_TEST

/* Where nothing differs, each test alarms as seldom as it says, or less. */
START_TEST (false_alarms)
{
  enum { TIMES = 5000 };
  int alarms = 0, alarms_runs = 0;
  srand (1);
  for (int i = 0; i < TIMES; i++)
    {
      double samples[6] = { 0 };
      for (int k = 0; k < 6 * 400; k++)
        samples[k % 6] += rand () < RAND_MAX / 10; /* about 40 in each */
      alarms += compare (samples[0], 100, samples[1], 100).p < 0.05;
      alarms_runs += significance_of (&(struct sampled) { samples, 3, 100 },
                                      &(struct sampled) { samples + 3, 3, 100 })
                         .p
                     < 0.05;
    }
  ck_assert_int_lt (alarms, TIMES / 20);
  ck_assert_int_lt (alarms_runs, TIMES / 20);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { published },    { by_terms },        { intervals },
                                     { between_runs }, { runs_that_agree }, { excess },
                                     { many },         { false_alarms } };
  return unit_run (UNIT_SUITE ("significance", UNIT_CASE (tests)));
}
