/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of stacks, with generated code as code of an object.  Where other code was at the same
   address at another time, a node becomes several, which the times of the samples tell apart. */
#ifndef BBPROF_GENERATED_TREE_H
#define BBPROF_GENERATED_TREE_H

#include "common/contexts.h"
#include "include/bbprof-samples.h"
#include "model/files/bbx_stacks.h"
#include "tools/generated/kept_codes.h"

struct generated_tree {
  const struct bbx_stacks *stacks; /* as recorded */
  const struct kept_codes *codes;
  uint64_t base;       /* of the object with the code */
  uint64_t *addresses; /* of the instruction of each frame, by index */
  bool *varies;        /* by index: some frame of the stack depends on the time */
  struct contexts tree;
  uint32_t *entered; /* by index: the node of TREE, as far as the time does not matter */
};

/* Adds the addresses in no object to CODES.  False: out of memory; call generated_tree_free. */
bool generated_tree_want (struct generated_tree *, const struct bbx_stacks *, struct kept_codes *);

/* When CODES is read and its code has its places.  A sample of unknown time counts for the code
   that was there last.  False: out of memory. */
bool generated_tree_make (struct generated_tree *, const struct kept_codes *, uint64_t base);

/* Moves the sample to the node of its time.  False: out of memory. */
bool generated_tree_move (struct generated_tree *, struct bbs_sample *);

/* The ticks that were taken outside of all objects, and are in code with a name now. */
uint64_t generated_tree_named (const struct generated_tree *);
void generated_tree_free (struct generated_tree *);

#endif
