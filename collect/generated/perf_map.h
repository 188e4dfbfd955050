/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text form of a description of generated code: a line for each piece, START SIZE NAME, in
   hexadecimal. */
#ifndef BBPROF_PERF_MAP_H
#define BBPROF_PERF_MAP_H

#include "collect/generated/code.h"

/* Reads the lines that were added since the last call, which are of TIME, into SINK.  LAST: none
   follow, so one without its end counts too.  A damaged line is skipped, and noted in the text.  A
   map that was written anew is read from its start.  False: SINK has no room. */
bool perf_map_read (struct code_text *, uint64_t time, bool last, const struct code_sink *);

#endif
