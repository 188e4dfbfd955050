/* SPDX-License-Identifier: MIT */
/* The control flow graph of one function (bbprof-abi.h), with the counts of all its edges. */
#ifndef BBP_FLOW_H
#define BBP_FLOW_H

#include "runtime/dump/dump.h"

#pragma GCC visibility push(hidden)

/* Nodes: BBP_OUTSIDE; the entries of the blocks, bbp_graph_in; then the segments, block by
   block. */
enum { BBP_OUTSIDE = 0 };
struct bbp_graph_node {
  uint64_t balance; /* how much more is known to come in than to go out */
  uint64_t passed;  /* how often control went on from there */
  /* Number of its edges whose count is not known yet, and the xor of their numbers. */
  uint32_t degree, edges;
};

struct bbp_graph_edge {
  uint32_t from, to; /* nodes */
  bool counted;
  uint64_t count; /* modulo 2^64 */
};

struct bbp_graph_block {
  uintptr_t address; /* run-time, as all of them */
  uint32_t segment;  /* node of its first one; the others follow */
  uint32_t shape;    /* BBP_BLOCK_... */
  uint32_t calls;    /* number of its first call, */
  uint32_t edges;    /* and edge, into its first segment; the others follow */
};

struct bbp_graph_call {
  uintptr_t point;
  uint32_t segment; /* node of the one that the call ends */
  uint32_t kind;    /* BBP_CALL_... */
};

/* Memory for the largest function of a module, one function in it at a time. */
struct bbp_graph {
  uintptr_t entry;
  unsigned flags;       /* BBP_FUNCTION_... */
  const long *counters; /* in the module's own array */
  uintptr_t moved;      /* as of the module */
  size_t ncounters, nnodes, nedges, nblocks, ncalls;
  size_t ncold; /* blocks, the last ones */
  struct bbp_graph_node *nodes;
  struct bbp_graph_edge *edges;
  struct bbp_graph_block *blocks;
  struct bbp_graph_call *calls;
  size_t room; /* nblocks, when all are read */
  size_t most; /* bytes of a record */
};

static inline uint32_t
bbp_graph_in (size_t block)
{
  return (uint32_t) block + 1;
}

static inline bool
bbp_graph_is_in (const struct bbp_graph *graph, uint32_t node)
{
  return node != BBP_OUTSIDE && node <= graph->nblocks;
}

/* Of a node that is the entry of one. */
static inline size_t
bbp_graph_block_of (uint32_t in)
{
  return in - 1;
}

static inline size_t
bbp_graph_edges_end (const struct bbp_graph *graph, size_t block)
{
  return block + 1 < graph->nblocks ? graph->blocks[block + 1].edges : graph->nedges;
}

/* module_map.c */
/* null: first, end. */
const struct bbp_map_function *bbp_map_next (const struct bbp_module *,
                                             const struct bbp_map_function *);
unsigned bbp_map_flags (const struct bbp_map_function *);
uintptr_t bbp_map_entry (const struct bbp_module *, const struct bbp_map_function *);
/* 0 or -errno: its map is damaged, no memory. */
int bbp_graph_make (struct bbp_graph *, const struct bbp_module *);
void bbp_graph_free (struct bbp_graph *);
/* false: damaged. */
bool bbp_graph_read (struct bbp_graph *, const struct bbp_module *,
                     const struct bbp_map_function *);

/* in_flight.c: where in its function control is that is at PC, be it in the code of a trace
   point */
uintptr_t bbp_flow_home (uintptr_t pc);
bool bbp_flow_is_in_front (uintptr_t pc); /* of the counter at the head of its block */
/* It is recorded where control goes from there, and it has not gone; FULL: by the last bit of a
   word. */
bool bbp_flow_is_ahead (uintptr_t pc, bool *full);

/* flow.c.  In this order: */
/* in_flight.c; false: it is not in this function. */
bool bbp_flow_interrupt (struct bbp_graph *, struct bbp_in_flight);
bool bbp_flow_derive (struct bbp_graph *, const long *counters); /* false: the record is damaged */
uint64_t bbp_flow_clip (struct bbp_graph *); /* counts below 0 become 0; how much that is in all */
uint64_t bbp_flow_entries (const struct bbp_graph *); /* how often control entered the function */
/* How often the call was made. */
uint64_t bbp_flow_calls (const struct bbp_graph *, const struct bbp_graph_call *);

#pragma GCC visibility pop

#endif
