/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a function is compared. */
#ifndef BBPROF_METRIC_H
#define BBPROF_METRIC_H

#include <stdbool.h>
#include <stdint.h>

enum metric {
  METRIC_EXECUTIONS, /* of its blocks */
  METRIC_CALLS,
  /* Executions per call: changes if the function does something else, not if it is called more
     often. */
  METRIC_WORK,
  METRIC_TIME, /* its own */
  METRICS
};
extern const char *const metric_names[METRICS];

/* A mean of runs, or executions per call, exactly.  The divisor is 0: there is none. */
struct fraction {
  uint64_t sum, divisor;
};

/* Is NOW above BEFORE and GROWTH millionths of a percent more?  Exactly; neither divisor is 0. */
bool fraction_is_above (struct fraction now, struct fraction before, uint64_t growth);

#endif
