/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sampled stacks measure: how long each function ran, itself and with all that it
   called, on whose behalf, and in which thread.  Nothing is assumed. */
#ifndef BBPROF_STACK_TIMES_H
#define BBPROF_STACK_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/symbols/stacks.h"

#define STACK_OUTSIDE UINT32_MAX /* the caller is nobody who is known */

/* Functions are indexes in the symbol table; times are in ticks. */
struct stack_arc {
  uint32_t caller, callee;
  uint64_t active; /* with that call on the stack, however often */
  /* Of the callee's total, what it had from this caller; of calls within calls of it the
     outermost counts. */
  uint64_t outermost;
};

struct stack_times {
  uint64_t ticks; /* of all threads that count */
  uint64_t cut;   /* of these, in stacks whose outermost frames are not known */
  /* Of each function; in total a tick counts once, however often the function is on the stack. */
  uint64_t *self, *total;
  uint64_t *threads;      /* of each thread of the stacks */
  struct stack_arc *arcs; /* by caller, then callee */
  struct stack_arc **by_callee;
  size_t narcs;
};

/* Of the stacks' threads those count that are WANTED; null: all.  NSYMBOLS: of the symbol table.
   False: no memory; stack_times_free is right in both cases. */
bool stack_times_make (struct stack_times *, const struct stacks *, size_t nsymbols,
                       const bool *wanted);
void stack_times_free (struct stack_times *);

/* Those from CALLER; how many. */
size_t stack_times_callees (const struct stack_times *, uint32_t caller, struct stack_arc **first);
/* Those to CALLEE; how many. */
size_t stack_times_callers (const struct stack_times *, uint32_t callee,
                            struct stack_arc *const **first);
/* Null: it has not been seen. */
const struct stack_arc *stack_times_arc (const struct stack_times *, uint32_t caller,
                                         uint32_t callee);

#endif
