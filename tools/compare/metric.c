/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/compare/metric.h"

const char *const metric_names[METRICS] = { "executions", "calls", "work", "time" };

bool
fraction_is_above (struct fraction now, struct fraction before, uint64_t growth)
{
  const uint64_t whole = 100000000;
  unsigned __int128 left = (unsigned __int128) now.sum * before.divisor,
                    right = (unsigned __int128) before.sum * now.divisor;
  if (!__builtin_mul_overflow (left, (unsigned __int128) whole, &left)
      && !__builtin_mul_overflow (right, (unsigned __int128) whole + growth, &right))
    return left > right;
  /* The numbers are so large that the last digits do not matter. */
  return (long double) now.sum / now.divisor
         > (long double) before.sum / before.divisor * (1 + (long double) growth / whole);
}
