/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of the report: inlined frames are nodes of their own, and direct recursion is
   one node for all its levels. */
#ifndef BBPROF_REPORT_FRAMES_H
#define BBPROF_REPORT_FRAMES_H

#include "common/contexts.h"
#include "tools/report/report_emit.h"

/* A kind of node in addition to those of the stacks; its address is an index of `names'. */
#define REPORT_FRAME_INLINED 64

struct report_frames {
  /* Functions: index in the symbol table.  Threads: the first one with that name. */
  struct contexts tree;
  /* Of each node: the largest number of consecutive frames of its function on a stack. */
  uint32_t *levels;
  /* mangled names of inlined functions, without duplicates; live as long as the objects */
  const char **names;
  size_t nnames, room_names, nlevels, room_levels;
};

/* False: no memory; call report_frames_free in both cases. */
bool report_frames_make (struct report_frames *, const struct report_table *);
void report_frames_free (struct report_frames *);

#endif
