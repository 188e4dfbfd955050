/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that an emitter may read. */
#ifndef BBPROF_REPORT_H
#define BBPROF_REPORT_H

#include "callgraph.h"
#include "model.h"
#include "options.h"
#include "spec.h"

struct report {
  const struct options *options;
  struct model model;
  struct specs *specs;
  struct callgraph graph;
};

#endif
