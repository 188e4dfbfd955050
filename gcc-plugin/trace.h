/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of a function (trace.cc), and what of it is there twice (trace_copies.cc). */
#ifndef BBPROF_TRACE_H
#define BBPROF_TRACE_H

#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"

/* trace.cc, in this order.  Before the graph is made: calls that return twice end their blocks. */
void bbp_trace_split_blocks (function *fn);
/* Set what is recorded where; the counters have their places.  Changes the code; afterwards
   df_analyze () is needed. */
void bbp_trace_prepare (struct bbp_graph *graph);
/* The points at the head of BLOCK, behind AFTER, and behind CALL, behind AFTER; the last new
   insn, or AFTER. */
rtx_insn *bbp_trace_block (const struct bbp_graph_block *block, rtx_insn *after,
                           location_t location);
rtx_insn *bbp_trace_call (const struct bbp_graph *graph, const struct bbp_call_site *call,
                          rtx_insn *after, location_t location);
/* The points of all edges. */
void bbp_trace_edges (struct bbp_graph *graph);
/* What the copies count and record, behind the same of the originals.  NEED: of a counter. */
void bbp_trace_copies (const struct bbp_graph *graph, const struct bbp_need *need);

/* trace_copies.cc: choose the blocks that are copied; their ways and points are chosen.  NEED: of a
   test. */
void bbp_copies_choose (struct bbp_graph *graph, const struct bbp_need *need);
/* The copy of what is behind START in BB, up to its jump, as a new block, behind which nothing
   has been put yet. */
basic_block bbp_copy_end (basic_block bb, rtx_insn *start);

#endif
