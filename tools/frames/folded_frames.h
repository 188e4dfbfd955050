/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames by function of several threads together; direct recursion is one node for all its
   levels. */
#ifndef BBPROF_FOLDED_FRAMES_H
#define BBPROF_FOLDED_FRAMES_H

#include "tools/frames/sampled_frames.h"

struct fold_choice {
  bool threads; /* roots: threads, those of a name together; else threads are no nodes */
  bool inlined; /* inlined functions have a kind of their own; else they are frames like others */
  bool no_fold; /* recursion is not folded */
};

struct folded_frames {
  /* Kinds: BBX_FRAME_CODE and FRAMES_INLINED, index in the functions of the frames;
     BBX_FRAME_THREAD, the first thread of its name; BBX_FRAME_CUT. */
  struct contexts tree;
  uint32_t *levels; /* of each node: the largest number of its consecutive frames on a stack */
};

/* False: out of memory; folded_frames_free is right in both cases. */
bool folded_frames_make (struct folded_frames *, const struct frames *, const struct model *,
                         const struct fold_choice *);
void folded_frames_free (struct folded_frames *);

#endif
