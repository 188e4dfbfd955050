/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides where the call graph's estimates of callers' shares are reliable.  The call graph
   gives each caller a share of a function's time by the number of its calls.  That is right if
   there is one caller only, or if all calls do the same.  All calls do the same if no block was
   left in more than one way, no call site called more than one function, and this holds for all
   callees.  Otherwise the share is an assumption. */
#ifndef BBPROF_SHARE_RELIABILITY_H
#define BBPROF_SHARE_RELIABILITY_H

#include <stdbool.h>

#include "model/blocks/blocks.h"
#include "model/graph/callgraph.h"
#include "model/model.h"

struct share_reliability {
  bool *same;     /* of each function: all of its calls do the same */
  bool *assumed;  /* of each function: its callers' shares are assumptions */
  bool *inherits; /* of each function: its total time contains such shares */
};

/* Graph and blocks are the model's.  False: no memory; call share_reliability_free in both
   cases. */
bool share_reliability_build (struct share_reliability *, const struct callgraph *,
                              const struct blocks *, const struct model *);
void share_reliability_free (struct share_reliability *);

#endif
