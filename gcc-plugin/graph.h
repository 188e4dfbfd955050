/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow graph of a function as runtime/bbprof-abi.h defines it, before it becomes a record of the map: made by
   graph.cc, its counters chosen by tree.cc, put into the code by instrument.cc. */
#ifndef BBPROF_GRAPH_H
#define BBPROF_GRAPH_H

#include "gcc-compat.h"

/* A call, or what is like one (calls.cc). */
struct bbp_call_site {
  rtx_insn *insn;
  bool direct;  /* the machine code says whom it calls */
  bool tail;
  bool final;   /* the block's last; nothing behind it is counted */
  bool counted; /* its return has a counter */
  int counter;
  int label; /* .LPC<label>, once it is numbered */
};

struct bbp_graph_edge {
  edge e;
  int target; /* index of the block */
  bool counted;
  int counter;
  rtx_insn *after; /* where its counter goes */
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
};

struct bbp_graph {
  auto_vec<struct bbp_graph_block> blocks; /* in the order of the code */
  auto_vec<struct bbp_call_site> calls;
  auto_vec<struct bbp_graph_edge> edges;
  int nnodes; /* node 0 is all that is outside */
};

/* graph.cc: HOOK is what stands at the function's entry, or null. */
void bbp_graph_make (struct bbp_graph *graph, function *fn, rtx_insn *hook);

/* tree.cc: set what is counted. */
void bbp_tree_choose (struct bbp_graph *graph);

#endif
