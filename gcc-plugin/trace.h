/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of a function (trace.cc), and its blocks that are copied (trace_copies.cc). */
#ifndef BBPROF_TRACE_H
#define BBPROF_TRACE_H

#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"

/* trace.cc, to be called in this order.  Before the graph is made: ends blocks at calls that
   return twice. */
void bbp_trace_split_blocks (function *fn);
/* Chooses what is recorded where; the counters must have their places.  Changes the code, so
   df_analyze () is needed afterwards. */
void bbp_trace_prepare (struct bbp_graph *graph);
/* Insert the points at the head of BLOCK, or behind CALL, behind AFTER.  They return the last new
   insn, or AFTER. */
rtx_insn *bbp_trace_block (const struct bbp_graph_block *block, rtx_insn *after,
                           location_t location);
rtx_insn *bbp_trace_call (const struct bbp_graph *graph, const struct bbp_call_site *call,
                          rtx_insn *after, location_t location);
/* Inserts the points of all edges. */
void bbp_trace_edges (struct bbp_graph *graph);
/* Inserts the counters and points of the copies, behind those of the originals.  NEED: of a
   counter. */
void bbp_trace_copies (const struct bbp_graph *graph, const struct bbp_need *need);

/* trace_copies.cc: chooses the blocks that are copied, when their edges and points are chosen.
   NEED: of a test. */
void bbp_copies_choose (struct bbp_graph *graph, const struct bbp_need *need);
/* Copies the insns of BB behind START, up to its jump, as a new block, before anything is
   inserted there. */
basic_block bbp_copy_end (basic_block bb, rtx_insn *start);

#endif
