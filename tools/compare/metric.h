/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a function that are compared. */
#ifndef BBPROF_METRIC_H
#define BBPROF_METRIC_H

#include <stdbool.h>
#include <stdint.h>

enum metric {
  METRIC_EXECUTIONS, /* of its blocks */
  METRIC_CALLS,
  /* Executions per call.  It changes if the function does something else, not if it is called
     more often. */
  METRIC_WORK,
  METRIC_TIME, /* self time */
  METRICS
};
extern const char *const metric_names[METRICS];

/* An exact mean of runs, or executions per call.  Divisor 0: no value. */
struct fraction {
  uint64_t sum, divisor;
};

/* Is NOW more than GROWTH millionths of a percent above BEFORE?  Exact; neither divisor is 0. */
bool fraction_is_above (struct fraction now, struct fraction before, uint64_t growth);

#endif
