/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that an emitter may read. */
#ifndef BBPROF_REPORT_H
#define BBPROF_REPORT_H

#include "callgraph.h"
#include "image.h"
#include "profile.h"
#include "symtab.h"

struct report {
  struct image image;
  struct symtab symtab;
  struct profile profile;
  struct callgraph graph;
};

#endif
