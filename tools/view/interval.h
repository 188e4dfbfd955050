/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much chance there is in a number of samples. */
#ifndef BBPROF_INTERVAL_H
#define BBPROF_INTERVAL_H

struct interval {
  double low, high;
};

/* Samples come by chance, each by itself (Poisson).  Where SAMPLES of them were seen, so many
   are to be expected on average of many such runs: the exact interval of 95 %, 2.5 % on each
   side.  SAMPLES need not be whole: part of one that belongs to several places counts as a part. */
struct interval interval_of_samples (double samples);

/* How likely SAMPLES, above 0, or more are where MEAN are to be expected. */
double interval_at_least (double samples, double mean);

#endif
