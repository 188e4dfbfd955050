/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured splits: which part of a function's cost it had on whose behalf.  Filled by whoever
   has seen functions run beneath their callers; where nobody has, the call graph's guess is all
   there is: each call costs the same. */
#ifndef BBPROF_SPLITS_H
#define BBPROF_SPLITS_H

#include <stdbool.h>
#include <stdint.h>

#define SPLIT_OUTSIDE UINT32_MAX   /* the caller is nobody who is known */
#define SPLIT_ALL (UINT32_MAX - 1) /* all callers together */

/* The cost of CALLEE and all that it has called, beneath CALLER.  Of a function that calls
   itself in whatever way, the outermost call answers for all. */
struct split {
  uint64_t executions; /* of blocks; exact */
  double samples;      /* what those took, by the samples of the whole profile */
};

struct splits {
  struct split_entry *table; /* private */
};

/* False: no memory.  The sum over all callers is kept as well. */
bool splits_add (struct splits *, uint32_t caller, uint32_t callee, const struct split *);
/* Null: it has not been seen. */
const struct split *splits_find (const struct splits *, uint32_t caller, uint32_t callee);
void splits_free (struct splits *);

/* CALLER's part of what CALLEE cost, 0 to 1; negative: not measured.  By samples, or where there
   are none, by executions. */
double splits_share (const struct splits *, uint32_t caller, uint32_t callee);
double splits_share_of_executions (const struct splits *, uint32_t caller, uint32_t callee);

#endif
