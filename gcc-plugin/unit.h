/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The start and the end of a compilation unit, and the map of its functions. */
#ifndef BBPROF_UNIT_H
#define BBPROF_UNIT_H

#include "gcc-plugin/target/gcc-compat.h"

struct bbp_graph;

void bbp_unit_start (void);
void bbp_unit_finish (void);

/* Adds FN, instrumented as GRAPH says.  Its blocks and calls are numbered. */
void bbp_unit_add_function (function *fn, const struct bbp_graph *graph);

#endif
