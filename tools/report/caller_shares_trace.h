/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured splits from a trace: each block is charged to all calls that are active. */
#ifndef BBPROF_CALLER_SHARES_TRACE_H
#define BBPROF_CALLER_SHARES_TRACE_H

#include "tools/decode/trace_read.h"
#include "tools/report/caller_shares.h"

/* What a trace's functions and blocks are in the profile. */
struct caller_share_lookup {
  /* Asked once for each: the function, or CALLER_UNKNOWN; samples of one execution. */
  uint32_t (*node) (void *context, const struct trace_function *);
  double (*samples) (void *context, const struct trace_block *);
  /* Does the block end with a tail call that may lead to the function? */
  bool (*is_tail_call) (void *context, const struct trace_block *, const struct trace_function *);
  void *context;
};

/* Adds what all threads of TRACE did; EXECUTED: how many blocks each of them executed.  False:
   no memory. */
bool caller_shares_add_trace (struct caller_shares *, struct trace *,
                              const struct caller_share_lookup *, uint64_t *executed);

#endif
