/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as exports and the page for a browser show it. */
#ifndef BBPROF_EXPORT_VIEW_H
#define BBPROF_EXPORT_VIEW_H

#include <stdbool.h>

#include "common/error.h"
#include "model/blocks/blocks.h"
#include "model/graph/callgraph.h"
#include "model/model.h"
#include "tools/frames/sampled_frames.h"
#include "tools/report/summary.h"

/* Made once from the model. */
struct export_view {
  const char *program; /* as the user named it */
  const char *map;     /* another build of it, with a map of blocks (blocks=map); or null */
  const struct model *model;
  struct frames frames;
  char **names;     /* of each function of FRAMES: demangled, in UTF-8 */
  char **build_ids; /* of each object, in hexadecimal; "": none */
  struct callgraph graph;
  struct blocks blocks;
  struct summary summary;
  double tick; /* nanoseconds of a tick; 0: the profile has no time */
  bool wall;   /* ticks are of wall time, else of CPU time */
};

/* Fills the view from its program and model.  False: ERR says why; export_view_free is right in
   both cases. */
bool export_view_make (struct export_view *, const struct frames_choice *, struct error *err);
void export_view_free (struct export_view *);

/* The name of the thread at the root of a tree. */
const char *export_thread_name (const struct export_view *, const struct context *root);

/* The name of a frame in a tree of frames_by_function. */
const char *export_frame_name (const struct export_view *, const struct context *);

#endif
