/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured callers' shares: the cost of a function beneath each of its callers.  A source that
   followed calls fills it, as a trace does.  Without one there is only the call graph's
   estimate, which assumes that each call costs the same. */
#ifndef BBPROF_CALLER_SHARES_H
#define BBPROF_CALLER_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#define CALLER_UNKNOWN UINT32_MAX   /* the caller is unknown */
#define CALLER_ALL (UINT32_MAX - 1) /* all callers together */

/* The cost of CALLEE and all that it called, beneath CALLER.  Of recursive calls, direct or not,
   the outermost one gets all. */
struct caller_share {
  uint64_t executions; /* of blocks; exact */
  double samples;      /* the samples that these took, of the whole profile */
};

struct caller_shares {
  struct caller_share_entry *table; /* private */
};

/* Adds the share to the cost of CALLER and to the cost of CALLER_ALL.  False: no memory. */
bool caller_shares_add (struct caller_shares *, uint32_t caller, uint32_t callee,
                        const struct caller_share *);
/* Null: this call was not seen. */
const struct caller_share *caller_shares_find (const struct caller_shares *, uint32_t caller,
                                               uint32_t callee);
void caller_shares_free (struct caller_shares *);

/* CALLER's share of the cost of CALLEE, 0 to 1; negative: not measured.  By samples; without
   samples by executions. */
double caller_shares_part (const struct caller_shares *, uint32_t caller, uint32_t callee);
double caller_shares_part_of_executions (const struct caller_shares *, uint32_t caller,
                                         uint32_t callee);

#endif
