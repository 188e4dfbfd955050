/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals of numbers of samples. */
#ifndef BBPROF_INTERVAL_H
#define BBPROF_INTERVAL_H

struct interval {
  double low, high;
};

/* Samples are independent random events (Poisson).  After SAMPLES were seen in one run, the
   average over many such runs lies in this exact 95 % interval (2.5 % on each side).  SAMPLES
   may have a fraction: of a sample that is shared by several places. */
struct interval interval_of_samples (double samples);

/* The probability of SAMPLES (above 0) or more if MEAN are expected. */
double interval_at_least (double samples, double mean);

#endif
