/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whether two sampled times differ by more than chance.  Samples are random events
   (Poisson).  With several runs, the variation between runs of the same program is taken into
   account.  All functions are pure. */
#ifndef BBPROF_SIGNIFICANCE_H
#define BBPROF_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Samples of one function or total, in all runs of a run set. */
struct sampled {
  const double *samples; /* of each run; may have fractions */
  size_t runs;
  double rate; /* samples per second */
};

/* The sum over all runs. */
double sampled_sum (const struct sampled *);
/* The mean of the runs, in seconds. */
double sampled_seconds (const struct sampled *);

struct significance {
  /* New time divided by old time; infinite if the old time is 0, NaN if both are. */
  double ratio;
  double low, high; /* its 95 % confidence interval; high may be infinite */
  /* probability of a difference so large, in either direction, if there is none */
  double p;
};

struct significance significance_of (const struct sampled *before, const struct sampled *now);

/* The probability of NOW or more if the true ratio is at most LIMIT (above 0). */
double significance_of_growth (const struct sampled *before, const struct sampled *now,
                               double limit);

/* The probability of NOW or more if the true time of a run is at most SECONDS. */
double significance_of_excess (const struct sampled *now, double seconds);

/* The probability that each of NOW runs is above each of BEFORE runs if nothing changed, for any
   distribution. */
double significance_of_separation (size_t before, size_t now);

/* Corrects N probabilities, each from its own test, for the number of tests (Holm): if there is
   no difference at all, the smallest is below P with a probability of at most P.  False: no
   memory. */
bool significance_adjust (double *p, size_t n);

#endif
