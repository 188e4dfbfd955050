/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements by sampled stacks: self and total time of each function, its callers' shares, and
   the time of each thread.  Nothing is estimated. */
#ifndef BBPROF_STACK_TIMES_H
#define BBPROF_STACK_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/contexts.h"

#define STACK_OUTSIDE UINT32_MAX /* the caller is unknown */

/* Functions are indexes of the symbol table; times are in ticks. */
struct stack_arc {
  uint32_t caller, callee;
  uint64_t active; /* ticks with this call on the stack, counted once for each stack */
  /* Share of this caller in the callee's total.  Of recursive calls the outermost counts. */
  uint64_t outermost;
};

struct stack_times {
  uint64_t ticks; /* of all selected threads */
  uint64_t cut;   /* part of `ticks': of stacks with unknown outermost frames */
  /* Of each function.  In `total' a tick counts once, however often the function is on the
     stack. */
  uint64_t *self, *total;
  uint64_t *threads;      /* of each thread of the stacks */
  struct stack_arc *arcs; /* sorted by caller, then by callee */
  struct stack_arc **by_callee;
  size_t narcs;
};

/* Of the TREE of model_stack_tree, with NTHREADS threads; uses only threads that are in WANTED;
   null: all.  NSYMBOLS: size of the symbol table.  False: no memory; call stack_times_free in both
   cases. */
bool stack_times_make (struct stack_times *, const struct contexts *tree, size_t nthreads,
                       size_t nsymbols, const bool *wanted);
void stack_times_free (struct stack_times *);

/* The arcs from CALLER; returns their number. */
size_t stack_times_callees (const struct stack_times *, uint32_t caller, struct stack_arc **first);
/* The arcs to CALLEE; returns their number. */
size_t stack_times_callers (const struct stack_times *, uint32_t callee,
                            struct stack_arc *const **first);
/* Null: this call was not seen. */
const struct stack_arc *stack_times_arc (const struct stack_times *, uint32_t caller,
                                         uint32_t callee);

#endif
