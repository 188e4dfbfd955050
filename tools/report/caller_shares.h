/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured splits: which part of a function's cost it had on whose behalf.  Filled by whoever
   has seen functions run beneath their callers; where nobody has, the call graph's guess is all
   there is: each call costs the same. */
#ifndef BBPROF_CALLER_SHARES_H
#define BBPROF_CALLER_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#define CALLER_UNKNOWN UINT32_MAX   /* the caller is nobody who is known */
#define CALLER_ALL (UINT32_MAX - 1) /* all callers together */

/* The cost of CALLEE and all that it has called, beneath CALLER.  Of a function that calls
   itself in whatever way, the outermost call answers for all. */
struct caller_share {
  uint64_t executions; /* of blocks; exact */
  double samples;      /* what those took, by the samples of the whole profile */
};

struct caller_shares {
  struct caller_share_entry *table; /* private */
};

/* False: no memory.  The sum over all callers is kept as well. */
bool caller_shares_add (struct caller_shares *, uint32_t caller, uint32_t callee,
                        const struct caller_share *);
/* Null: it has not been seen. */
const struct caller_share *caller_shares_find (const struct caller_shares *, uint32_t caller,
                                               uint32_t callee);
void caller_shares_free (struct caller_shares *);

/* CALLER's part of what CALLEE cost, 0 to 1; negative: not measured.  By samples, or where there
   are none, by executions. */
double caller_shares_part (const struct caller_shares *, uint32_t caller, uint32_t callee);
double caller_shares_part_of_executions (const struct caller_shares *, uint32_t caller,
                                         uint32_t callee);

#endif
