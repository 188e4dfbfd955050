/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the sampled stacks of several profiles: the same path is one node.

   Threads of different runs are one if they have the same name, and the same place among the
   threads of that name in their runs.  So the sum of any number of runs of a program has as many
   threads as one run. */
#ifndef BBPROF_SUM_STACKS_H
#define BBPROF_SUM_STACKS_H

#include <stdbool.h>

#include "common/bag.h"
#include "common/contexts.h"
#include "common/output.h"
#include "model/files/bbx_stacks.h"
#include "model/files/gmon_read.h"
#include "model/sums/sum_languages.h"

struct sum_thread;

struct sum_stacks {
  struct bag samplings;       /* struct bbx_sampling */
  struct sum_thread *threads; /* a hash, by name and place */
  struct sum_languages languages;
  /* A thread's address is its id until sum_stacks_finish, then its number; and so is that of a
     function of a language. */
  struct contexts tree;
  struct bbx_kernel kernel; /* of the tree */
  bool has_tree;
};

void sum_stacks_init (struct sum_stacks *);
void sum_stacks_free (struct sum_stacks *);

/* False: one has samples of CPU time, the other of wall time. */
bool sum_stacks_fits (const struct sum_stacks *, const struct bbx_stacks *);

/* Adds STACKS and moves their addresses.  False: out of memory; then only sum_stacks_free is
   allowed. */
bool sum_stacks_add (struct sum_stacks *, const struct bbx_stacks *stacks,
                     const struct gmon_moves *);

/* After the last one; MOVES as in bbx_sum_finish.  False: out of memory. */
bool sum_stacks_finish (struct sum_stacks *, const struct gmon_moves *);

/* After that: writes the chunks.  False: out of memory. */
bool sum_stacks_write (const struct sum_stacks *, struct output *);

#endif
