/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All data that emitters read, and the warnings that they add. */
#ifndef BBPROF_REPORT_H
#define BBPROF_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "gprof-compat/gprof_options.h"
#include "model/graph/callgraph.h"
#include "model/model.h"
#include "model/symbols/order_map.h"

struct report {
  const struct options *options;
  struct model model;
  struct specs *specs;
  struct callgraph graph;
  struct order_map order_map; /* with -R */
  struct warnings warnings;   /* from emitters: what could not be shown */
  bool begun;                 /* output has begun */
};

/* Prints a form feed between parts of the output. */
static inline void
report_break (struct report *r, FILE *out)
{
  if (r->begun)
    fputs ("\f\n", out);
  r->begun = true;
}

#endif
