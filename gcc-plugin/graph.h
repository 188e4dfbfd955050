/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow graph of a function as include/bbprof-abi.h defines it, before it becomes a
   record of the map: made by graph.cc, its counters chosen by spanning_tree.cc, put into
   the code by instrument.cc. */
#ifndef BBPROF_GRAPH_H
#define BBPROF_GRAPH_H

#include "gcc-plugin/target/gcc-compat.h"

/* Of edges that leave their block half-way or by an address.  EDGE_COMPLEX also has
   EDGE_PRESERVE, which the compiler sets on plain edges out of landing pads. */
#define BBP_EDGE_STRAY (EDGE_ABNORMAL | EDGE_ABNORMAL_CALL | EDGE_EH)

/* A call, or what is like one (calls.cc). */
struct bbp_call_site {
  rtx_insn *insn;
  bool direct; /* the machine code says whom it calls */
  bool tail;
  bool final;   /* the block's last; nothing behind it is counted */
  bool counted; /* its return has a counter */
  int counter;
  int label;                           /* .LPC<label>, once it is numbered */
  bool traced;                         /* its return is a trace point */
  const struct bbp_graph_edge *onward; /* the way whose jump is recorded there as well, or null */
};

struct bbp_graph_edge {
  edge e;
  int target; /* index of the block */
  bool counted;
  int counter;
  rtx_insn *after; /* where its counter goes */
  /* trace.cc */
  /* How the trace tells it from its source's others. */
  enum { BBP_WAY_ONLY, BBP_WAY_BIT, BBP_WAY_TOKEN } way;
  int bit;   /* BBP_WAY_BIT */
  bool jump; /* it is counted as a jump */
  /* Where that is recorded; null: nowhere, or with its source's last call. */
  rtx_insn *point;
  /* .LPBR<mark>: where its source ends; -1: the point is there. */
  int mark;
};

struct bbp_graph_block {
  basic_block bb;
  int label; /* .LPB<label>, once it is numbered */
  int node;  /* in (b); the segments' nodes follow */
  int nsegments;
  bool counted, in, out, leaves;
  int counter;
  int first_call, ncalls;
  int first_edge, nedges;
  bool land, source; /* trace.cc: it has these points at its head */
  /* trace_copies.cc */
  /* Who records can be sent from behind there to a copy of what follows; or null. */
  rtx_insn *test;
  bool unsure; /* who records may come here; else only to the copy */
  bool copied;
  basic_block copy; /* the copy of all of it, without what counts and records; once it is made */
};

/* A way out of a copy, where it is recorded. */
struct bbp_graph_way {
  const struct bbp_graph_block *block;
  const struct bbp_graph_edge *edge;
  basic_block bb;
  int mark; /* .LPBR<mark>: where its source ends; -1: it is a copy of all of BLOCK */
};

struct bbp_graph {
  auto_vec<struct bbp_graph_block> blocks; /* in the order of the code */
  auto_vec<struct bbp_call_site> calls;
  auto_vec<struct bbp_graph_edge> edges;
  auto_vec<struct bbp_graph_way> ways; /* trace.cc */
  int nnodes;                          /* node 0 is all that is outside */
  bool traced;
};

/* graph.cc: HOOK is what stands at the function's entry, or null. */
void bbp_graph_make (struct bbp_graph *graph, function *fn, rtx_insn *hook);

/* spanning_tree.cc: set what is counted. */
void bbp_spanning_tree_choose (struct bbp_graph *graph);

/* calls.cc: is INSN a call, or like one?  CALL says what is known of it, but for what the rest
   of its block decides. */
bool bbp_call_find (rtx_insn *insn, struct bbp_call_site *call);
void bbp_call_insert_hook (const struct bbp_call_site *call);

#endif
