/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are two sampled times different, or is it chance?  Samples come by chance (Poisson); and where
   there are several runs, what the machine did differently in each shows in how much they differ
   from each other.  All functions are pure. */
#ifndef BBPROF_SIGNIFICANCE_H
#define BBPROF_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* What was sampled of one thing: in all runs of one side. */
struct sampled {
  const double *samples; /* of each run; parts of samples count as parts */
  size_t runs;
  double rate; /* samples that a second takes */
};

/* The sum over all runs. */
double sampled_sum (const struct sampled *);
/* Seconds of one run, the mean. */
double sampled_seconds (const struct sampled *);

struct significance {
  /* Time now : time before; infinite if it was none before, not a number if there is none at
     all. */
  double ratio;
  double low, high; /* the interval of 95 % around it; high may be infinite */
  double p;         /* how likely so great a difference is, in either direction, if there is none */
};

struct significance significance_of (const struct sampled *before, const struct sampled *now);

/* How likely NOW, or more, is if the true ratio is LIMIT (above 0) or less. */
double significance_of_growth (const struct sampled *before, const struct sampled *now,
                               double limit);

/* How likely NOW, or more, is if the true time of a run is SECONDS or less. */
double significance_of_excess (const struct sampled *now, double seconds);

/* How likely each of NOW runs is above each of BEFORE runs if nothing has changed, whatever the
   numbers' distribution is. */
double significance_of_separation (size_t before, size_t now);

/* Makes each of N probabilities, found by as many tests, what it is worth among so many (Holm):
   if there is no difference at all, the least of them is below P with at most the probability P.
   False: no memory. */
bool significance_adjust (double *p, size_t n);

#endif
