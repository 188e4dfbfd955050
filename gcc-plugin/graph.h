/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow graph of a function as include/bbprof-abi.h defines it, before it becomes a
   record of the map.  graph.cc makes it, spanning_tree.cc chooses its counters, instrument.cc
   puts them into the code. */
#ifndef BBPROF_GRAPH_H
#define BBPROF_GRAPH_H

#include "gcc-plugin/target/gcc-compat.h"

/* Edges that leave their block half-way or by an address.  EDGE_COMPLEX is not used: it also
   contains EDGE_PRESERVE, which the compiler sets on plain edges out of landing pads. */
#define BBP_EDGE_STRAY (EDGE_ABNORMAL | EDGE_ABNORMAL_CALL | EDGE_EH)

/* A call, or an insn that acts like one (calls.cc). */
struct bbp_call_site {
  rtx_insn *insn;
  bool direct; /* the callee is in the machine code */
  bool tail;
  bool final;   /* the last one of its block; nothing behind it is counted */
  bool counted; /* its return has a counter */
  int counter;
  int label;                           /* .LPC<label>, once it is numbered */
  bool traced;                         /* its return is a trace point */
  const struct bbp_graph_edge *onward; /* its jump is recorded at the same point; or null */
};

struct bbp_graph_edge {
  edge e;
  int target; /* index of the block */
  bool counted;
  int counter;
  rtx_insn *after; /* its counter goes behind this insn */
  /* trace.cc */
  /* How the trace distinguishes it from the source's other edges. */
  enum { BBP_WAY_ONLY, BBP_WAY_BIT, BBP_WAY_TOKEN } way;
  int bit;   /* BBP_WAY_BIT */
  bool jump; /* it is counted as a jump */
  /* The trace point that records the jump; null: none, or the last call of its source. */
  rtx_insn *point;
  /* .LPBR<mark>: the end of its source; -1: the point is there. */
  int mark;
};

struct bbp_graph_block {
  basic_block bb;
  int label; /* .LPB<label>, once it is numbered */
  int node;  /* in (b) of bbprof-abi.h; the segments' nodes follow */
  int nsegments;
  bool counted, in, out, leaves;
  int counter;
  int first_call, ncalls;
  int first_edge, nedges;
  bool land, source; /* trace.cc: it has these points at its head */
  /* trace_copies.cc */
  /* Behind this insn a recording thread can be sent to a copy of the rest; or null. */
  rtx_insn *test;
  bool unsure; /* a recording thread may come here; else only to the copy */
  bool copied;
  basic_block copy; /* the copy of the whole block, without counters and points; once it is made */
};

/* An edge out of a copy, at which the jump is recorded. */
struct bbp_graph_way {
  const struct bbp_graph_block *block;
  const struct bbp_graph_edge *edge;
  basic_block bb;
  int mark; /* .LPBR<mark>: the end of its source; -1: it is a copy of the whole BLOCK */
};

struct bbp_graph {
  auto_vec<struct bbp_graph_block> blocks; /* in the order of the code */
  auto_vec<struct bbp_call_site> calls;
  auto_vec<struct bbp_graph_edge> edges;
  auto_vec<struct bbp_graph_way> ways; /* trace.cc */
  /* pointers.cc, by number of basic block: the register that points to the function's counters
     there, or INVALID_REGNUM. */
  auto_vec<unsigned> pointers;
  int nnodes; /* node 0 is the outside */
  int first_counter;
  bool traced;
};

/* graph.cc: HOOK is the last hook at the function's entry, or null. */
void bbp_graph_make (struct bbp_graph *graph, function *fn, rtx_insn *hook);

/* spanning_tree.cc: chooses what is counted. */
void bbp_spanning_tree_choose (struct bbp_graph *graph);

/* pointers.cc: chooses where a register points to the counters, and loads it.  Needs
   df_analyze (). */
void bbp_pointers_choose (struct bbp_graph *graph, const struct bbp_need *need);

/* calls.cc: is INSN a call, or like one?  Fills in CALL, except for what depends on the rest of
   its block. */
bool bbp_call_find (rtx_insn *insn, struct bbp_call_site *call);
void bbp_call_insert_hook (const struct bbp_call_site *call);

#endif
