/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of a flame graph: the call tree of the chosen threads together, by function, with
   names in alphabetical order, and which of them the user looks for. */
#ifndef BBPROF_FLAME_TREE_H
#define BBPROF_FLAME_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "model/model.h"
#include "tools/frames/folded_frames.h"

/* The user's choice. */
struct flame_choice {
  const bool *threads; /* of each thread of the model's stacks: is it wanted?  null: all are */
  bool no_inlines, no_fold;
  const char *function, *object; /* patterns: which functions are marked; null: any, or none */
  size_t depth;                  /* rows below the program's */
  bool ascii;                    /* draw it in ASCII, whatever the locale has */
};

struct flame_tree {
  const struct model *model;
  struct frames frames;
  /* Node 0 is the program.  Kinds: BBX_FRAME_CODE, index in frames.functions, inlined ones, too;
     BBX_FRAME_CUT. */
  struct folded_frames folded;
  uint64_t *totals; /* of each node; ticks */
  char **names;     /* of each function, for display */
  bool *matches;    /* of each function: does the user look for it? */
  uint64_t matched; /* ticks of stacks with such a function */
};

/* Error: no function is the one that is looked for, or no memory; flame_tree_free is right in both
   cases. */
bool flame_tree_make (struct flame_tree *, const struct model *, const struct flame_choice *,
                      struct error *);
void flame_tree_free (struct flame_tree *);

/* The object of NODE's function; null: unknown. */
const struct object *flame_tree_object (const struct flame_tree *, uint32_t node);

#endif
