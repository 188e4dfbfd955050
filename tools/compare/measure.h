/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a function is compared. */
#ifndef BBPROF_MEASURE_H
#define BBPROF_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum measure {
  MEASURE_EXECUTIONS, /* of its blocks */
  MEASURE_CALLS,
  /* Executions per call: changes if the function does something else, not if it is called more
     often. */
  MEASURE_WORK,
  MEASURE_TIME, /* its own */
  MEASURES
};
extern const char *const measure_names[MEASURES];

/* A mean of runs, or executions per call, exactly.  The divisor is 0: there is none. */
struct fraction {
  uint64_t sum, divisor;
};

/* Is NOW above BEFORE and GROWTH millionths of a percent more?  Exactly; neither divisor is 0. */
bool fraction_is_above (struct fraction now, struct fraction before, uint64_t growth);

#endif
