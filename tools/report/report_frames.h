/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of what is shown: frames that the compiler has inlined are nodes of their own,
   and a function that calls itself directly is one node for all its levels. */
#ifndef BBPROF_REPORT_FRAMES_H
#define BBPROF_REPORT_FRAMES_H

#include "common/contexts.h"
#include "tools/report/report_emit.h"

/* A kind of node beside those of the stacks: its address is the place of its name in `names'. */
#define REPORT_FRAME_INLINED 64

struct report_frames {
  /* Of functions the symbols' places, of threads the first one of that name. */
  struct contexts tree;
  /* Of each node: how often its function stood in a row on a stack, at most. */
  uint32_t *levels;
  const char **names; /* of inlined functions, mangled, each once; live as long as the objects */
  size_t nnames, room_names, nlevels, room_levels;
};

/* False: no memory; report_frames_free is right in both cases. */
bool report_frames_make (struct report_frames *, const struct report_table *);
void report_frames_free (struct report_frames *);

#endif
