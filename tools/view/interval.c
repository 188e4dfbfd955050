/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "tools/view/interval.h"

#define OUTSIDE 0.025 /* on each side */

/* The probability of N events or more within X is that of N waiting times with mean 1 and a sum
   that is at most X.  If MEAN is near SAMPLES, the series has a few times sqrt (SAMPLES) terms, all
   positive. */
double
interval_at_least (double samples, double mean)
{
  double term = 1, sum = 1;
  if (mean <= 0)
    return 0;
  for (double k = samples + 1; term > sum * 1e-16; k++)
    {
      term *= mean / k;
      sum += term;
    }
  return sum * exp (samples * log (mean) - mean - lgamma (samples + 1));
}

/* The mean at which SAMPLES or more have probability P. */
static double
find_mean (double samples, double p)
{
  double far = 10 * sqrt (samples) + 10, low = fmax (0, samples - far), high = samples + far;
  for (int i = 0; i < 100; i++)
    {
      double middle = (low + high) / 2;
      *(interval_at_least (samples, middle) < p ? &low : &high) = middle;
    }
  return high;
}

struct interval
interval_of_samples (double samples)
{
  return (struct interval) { .low = samples > 0 ? find_mean (samples, OUTSIDE) : 0,
                             .high = find_mean (samples + 1, 1 - OUTSIDE) };
}
