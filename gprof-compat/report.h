/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that an emitter may read. */
#ifndef BBPROF_REPORT_H
#define BBPROF_REPORT_H

#include "callgraph.h"
#include "model.h"

struct report {
  struct model model;
  struct callgraph graph;
};

#endif
