/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures callers' shares from a trace: each block is charged to all active calls. */
#ifndef BBPROF_CALLER_SHARES_TRACE_H
#define BBPROF_CALLER_SHARES_TRACE_H

#include "tools/decode/trace_read.h"
#include "tools/report/caller_shares.h"

/* Maps functions and blocks of a trace to the profile. */
struct caller_share_lookup {
  /* Called once for each function: its index, or CALLER_UNKNOWN.  Once for each block: samples
     of one execution. */
  uint32_t (*node) (void *context, const struct trace_function *);
  double (*samples) (void *context, const struct trace_block *);
  /* True if the block ends with a tail call that can lead to the function. */
  bool (*is_tail_call) (void *context, const struct trace_block *, const struct trace_function *);
  void *context;
};

/* Adds all threads of TRACE.  EXECUTED: set to the number of blocks that each thread executed.
   False: no memory. */
bool caller_shares_add_trace (struct caller_shares *, struct trace *,
                              const struct caller_share_lookup *, uint64_t *executed);

#endif
