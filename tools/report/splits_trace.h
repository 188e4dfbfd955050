/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured splits from a trace: each block is charged to all calls that are active. */
#ifndef BBPROF_SPLITS_TRACE_H
#define BBPROF_SPLITS_TRACE_H

#include "tools/decode/trace_read.h"
#include "tools/report/splits.h"

/* What a trace's functions and blocks are in the profile. */
struct split_places {
  /* Asked once for each: the function, or SPLIT_OUTSIDE; samples of one execution. */
  uint32_t (*node) (void *context, const struct trace_function *);
  double (*samples) (void *context, const struct trace_block *);
  /* Does the block end with a tail call that may lead to the function? */
  bool (*is_tail_call) (void *context, const struct trace_block *, const struct trace_function *);
  void *context;
};

/* Adds what all threads of TRACE did; EXECUTED: how many blocks each of them executed.  False:
   no memory. */
bool splits_add_trace (struct splits *, struct trace *, const struct split_places *,
                       uint64_t *executed);

#endif
