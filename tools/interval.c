/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "interval.h"

#define OUTSIDE 0.025 /* on each side */

/* The distribution of the sum of SHAPE waiting times whose mean is 1: how likely it is at most X.  X near to SHAPE: the series has
   some times sqrt (SHAPE) terms then, all positive. */
static double
sum_at_most (double shape, double x)
{
  double term = 1, sum = 1;
  if (x <= 0)
    return 0;
  for (double k = shape + 1; term > sum * 1e-16; k++)
    {
      term *= x / k;
      sum += term;
    }
  return sum * exp (shape * log (x) - x - lgamma (shape + 1));
}

/* The X that it is below with the probability P. */
static double
quantile (double shape, double p)
{
  double far = 10 * sqrt (shape) + 10, low = fmax (0, shape - far), high = shape + far;
  for (int i = 0; i < 100; i++)
    {
      double middle = (low + high) / 2;
      *(sum_at_most (shape, middle) < p ? &low : &high) = middle;
    }
  return high;
}

/* N events or more within X is the same as N waiting times of at most X in sum. */
struct interval
interval_of_samples (double samples)
{
  return (struct interval) { .low = samples > 0 ? quantile (samples, OUTSIDE) : 0, .high = quantile (samples + 1, 1 - OUTSIDE) };
}
