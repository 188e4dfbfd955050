/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run in each run set: each sample falls into the new run with the same probability.  So the
   number of new samples is binomial, whatever the time is (the conditional test of two Poisson
   counts).

   Several runs: if the runs of one set differ by more than sampling explains, the ratio is less
   certain by as much.  Few runs give only an estimate of that, so the logarithm of the ratio
   follows Student's distribution.  The larger of both probabilities counts: runs that agree by
   accident cannot make the result more certain than the samples are. */
#include <math.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/compare/significance.h"
#include "tools/view/interval.h"

#define OUTSIDE 0.025 /* of the interval, on each side */

double
sampled_sum (const struct sampled *s)
{
  double sum = 0;
  for (size_t i = 0; i < s->runs; i++)
    sum += s->samples[i];
  return sum;
}

double
sampled_seconds (const struct sampled *s)
{
  return s->runs > 0 && s->rate > 0 ? sampled_sum (s) / ((double) s->runs * s->rate) : 0;
}

/* Distributions.  */

/* Continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated from its front by
   Lentz's method.  Fast for X < (A + 1) / (A + B + 2). */
static double
beta_fraction (double x, double a, double b)
{
  const double tiny = 1e-300;
  double value = 1, c = 1, d = 0, step = 0;
  for (double m = 0; m < 1e6 && fabs (step - 1) > 1e-15; m++)
    {
      double terms[] = { -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
                         (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2)) };
      for (int i = 0; i < 2; i++)
        {
          d = 1 + terms[i] * d;
          d = 1 / (fabs (d) < tiny ? tiny : d);
          c = 1 + terms[i] / c;
          c = fabs (c) < tiny ? tiny : c;
          step = c * d;
          value *= step;
        }
    }
  return 1 / value;
}

/* The regularised incomplete beta function; A, B > 0. */
static double
beta (double x, double a, double b)
{
  if (x <= 0 || x >= 1)
    return x > 0;
  double front = exp (a * log (x) + b * log1p (-x) + lgamma (a + b) - lgamma (a) - lgamma (b));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction (x, a, b) / a
                                   : 1 - front * beta_fraction (1 - x, b, a) / b;
}

/* The probability that COUNT or more of N are of a kind that has probability P. */
static double
binomial_at_least (double count, double n, double p)
{
  return count <= 0 ? 1 : beta (p, count, n - count + 1);
}

/* The probability of T or more. */
static double
student_at_least (double t, double freedom)
{
  double outside = beta (freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
  return t > 0 ? outside : 1 - outside;
}

/* Runs.  */

/* The squared deviations of the runs from their mean, relative to what sampling explains. */
static double
squares (const struct sampled *s)
{
  double mean = sampled_sum (s) / (double) s->runs, sum = 0;
  for (size_t i = 0; mean > 0 && i < s->runs; i++)
    sum += (s->samples[i] - mean) * (s->samples[i] - mean) / mean;
  return sum;
}

/* The variance between runs as a multiple of what sampling explains; at least 1. */
static double
dispersion (double sum_of_squares, double freedom)
{
  return fmax (1, sum_of_squares / freedom);
}

/* Input of a test, of both run sets. */
struct pair {
  double before, now; /* samples */
  double exposure;    /* new samples per old sample if the times were equal */
  double freedom;     /* runs that tell something about the variance */
  double deviation;   /* of the logarithm of the ratio, if there are such runs */
};

static struct pair
make_pair (const struct sampled *before, const struct sampled *now)
{
  struct pair p
      = { .before = sampled_sum (before),
          .now = sampled_sum (now),
          .exposure = (double) now->runs * now->rate / ((double) before->runs * before->rate),
          .freedom = (double) (before->runs + now->runs) - 2 };
  /* Adds half a sample on both sides, because zero has no logarithm. */
  if (p.freedom > 0)
    p.deviation = sqrt (dispersion (squares (before) + squares (now), p.freedom)
                        * (1 / (p.before + 0.5) + 1 / (p.now + 0.5)));
  return p;
}

static double
distance (const struct pair *p, double ratio)
{
  return (log ((p->now + 0.5) / (p->before + 0.5)) - log (ratio * p->exposure)) / p->deviation;
}

/* The probability of so many new samples or more if the true ratio is RATIO. */
static double
probability_more (const struct pair *p, double ratio)
{
  double part = ratio * p->exposure / (ratio * p->exposure + 1);
  double chance = binomial_at_least (p->now, p->before + p->now, part);
  return p->freedom > 0 ? fmax (chance, student_at_least (distance (p, ratio), p->freedom))
                        : chance;
}

/* The probability of as many samples as now, or fewer. */
static double
probability_less (const struct pair *p, double ratio)
{
  double part = 1 / (ratio * p->exposure + 1);
  double chance = binomial_at_least (p->before, p->before + p->now, part);
  return p->freedom > 0 ? fmax (chance, student_at_least (-distance (p, ratio), p->freedom))
                        : chance;
}

/* One end of the interval: the ratio for which PROBABILITY, which is monotonic, is OUTSIDE. */
static double
find_end (const struct pair *p, double (*probability) (const struct pair *, double ratio),
          bool grows)
{
  double low = -80, high = 80; /* logarithms */
  for (int i = 0; i < 60; i++)
    {
      double middle = (low + high) / 2;
      *((probability (p, exp (middle)) < OUTSIDE) == grows ? &low : &high) = middle;
    }
  return exp ((low + high) / 2);
}

struct significance
significance_of (const struct sampled *before, const struct sampled *now)
{
  struct pair p = make_pair (before, now);
  if (p.before + p.now <= 0)
    return (struct significance) { .ratio = NAN, .low = 0, .high = INFINITY, .p = 1 };
  return (struct significance) {
    .ratio = p.now / p.before / p.exposure,
    .low = p.now > 0 ? find_end (&p, probability_more, true) : 0,
    .high = p.before > 0 ? find_end (&p, probability_less, false) : INFINITY,
    .p = fmin (1, 2 * fmin (probability_more (&p, 1), probability_less (&p, 1)))
  };
}

double
significance_of_growth (const struct sampled *before, const struct sampled *now, double limit)
{
  struct pair p = make_pair (before, now);
  return p.now > 0 ? probability_more (&p, limit) : 1;
}

double
significance_of_excess (const struct sampled *now, double seconds)
{
  double sum = sampled_sum (now), mean = seconds * now->rate * (double) now->runs,
         freedom = (double) now->runs - 1;
  if (sum <= mean)
    return 1;
  if (mean <= 0)
    return 0;
  double chance = interval_at_least (sum, mean);
  if (freedom <= 0)
    return chance;
  return fmax (
      chance,
      student_at_least ((sum - mean) / sqrt (dispersion (squares (now), freedom) * sum), freedom));
}

double
significance_of_separation (size_t before, size_t now)
{
  double p = 1; /* the share of all orders of the runs in which the new runs come last */
  for (size_t i = 1; i <= now; i++)
    p *= (double) i / (double) (before + i);
  return p;
}

/* Correction for many tests. */

static int
compare_p_values (const void *a, const void *b, void *p)
{
  double x = ((const double *) p)[*(const size_t *) a],
         y = ((const double *) p)[*(const size_t *) b];
  return x < y ? -1 : x > y;
}

bool
significance_adjust (double *p, size_t n)
{
  size_t *order = malloc ((n + 1) * sizeof *order);
  double most = 0;
  for (size_t i = 0; order && i < n; i++)
    order[i] = i;
  bool ok = order && array_sort (order, n, sizeof *order, compare_p_values, p);
  for (size_t i = 0; ok && i < n; i++)
    p[order[i]] = most = fmax (most, fmin (1, (double) (n - i) * p[order[i]]));
  free (order);
  return ok;
}
