/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the call graph's shares of time can be believed.  It gives each caller a part of a
   function's time by the number of its calls, which is right if there is one caller only, or if
   each call does the same: then no block has been left in more than one way, no place has called
   more than one function, and so it is with all that it calls.  Else it is an assumption. */
#ifndef BBPROF_SHARE_RELIABILITY_H
#define BBPROF_SHARE_RELIABILITY_H

#include <stdbool.h>

#include "model/blocks/blocks.h"
#include "model/graph/callgraph.h"
#include "model/model.h"

struct share_reliability {
  bool *same;     /* of each function: all calls of it do the same */
  bool *assumed;  /* its time is shared out by an assumption */
  bool *inherits; /* part of its total time comes to it by one */
};

/* Graph and blocks are the model's.  False: no memory; share_reliability_free is right in both
   cases. */
bool share_reliability_build (struct share_reliability *, const struct callgraph *,
                              const struct blocks *, const struct model *);
void share_reliability_free (struct share_reliability *);

#endif
