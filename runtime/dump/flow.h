/* SPDX-License-Identifier: MIT */
/* The control flow graph of one function (bbprof-abi.h), with counts for all edges. */
#ifndef BBP_FLOW_H
#define BBP_FLOW_H

#include "runtime/dump/dump.h"

#pragma GCC visibility push(hidden)

/* Nodes: BBP_OUTSIDE; the entries of the blocks, bbp_graph_in; then the segments, by block. */
enum { BBP_OUTSIDE = 0 };
struct bbp_graph_node {
  uint64_t balance; /* known flow in less known flow out */
  uint64_t passed;  /* number of times that control left the node */
  /* The number of its edges with unknown count, and the XOR of their indices. */
  uint32_t degree, edges;
};

struct bbp_graph_edge {
  uint32_t from, to; /* nodes */
  bool counted;
  uint64_t count; /* modulo 2^64 */
};

struct bbp_graph_block {
  uintptr_t address; /* run-time, like all addresses here */
  uint32_t segment;  /* node of its first segment; its other segments follow */
  uint32_t shape;    /* BBP_BLOCK_... */
  uint32_t calls;    /* index of its first call */
  uint32_t edges;    /* index of the edge into its first segment; its other edges follow */
};

struct bbp_graph_call {
  uintptr_t point;
  uint32_t segment; /* node of the segment that ends with the call */
  uint32_t kind;    /* BBP_CALL_... */
};

/* Memory for the largest function of a module; holds one function at a time. */
struct bbp_graph {
  uintptr_t entry;
  unsigned flags;          /* BBP_FUNCTION_... */
  const int64_t *counters; /* in the module's own array */
  uintptr_t moved;         /* as in struct bbp_module */
  size_t ncounters, nnodes, nedges, nblocks, ncalls;
  size_t ncold; /* number of cold blocks, the last ones */
  struct bbp_graph_node *nodes;
  struct bbp_graph_edge *edges;
  struct bbp_graph_block *blocks;
  struct bbp_graph_call *calls;
  size_t room; /* number of blocks in total, when all are read */
  size_t most; /* bytes of the largest record */
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

/* IN: a node that is a block's entry. */
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
/* FUNCTION null: the first one; returns null at the end. */
const struct bbp_map_function *bbp_map_next (const struct bbp_module *,
                                             const struct bbp_map_function *);
unsigned bbp_map_flags (const struct bbp_map_function *);
uintptr_t bbp_map_entry (const struct bbp_module *, const struct bbp_map_function *);
/* Where the cold part begins; 0: there is none. */
uintptr_t bbp_map_cold (const struct bbp_module *, const struct bbp_map_function *);
/* The piece of code for recording threads that contains PC; false: the function has none there. */
struct bbp_zone {
  uintptr_t place; /* what control has reached in the function */
  bool recorded;   /* a branch's direction is recorded, and the branch not executed */
  bool full;       /* the word with that bit is full, and is put away */
};
bool bbp_map_zone (const struct bbp_module *, const struct bbp_map_function *, uintptr_t pc,
                   struct bbp_zone *);
/* A range of the module's counters that contains all of the function's, without reading its record:
   up to the next function's, if that has the next ones.  False: it has not. */
bool bbp_map_counters (const struct bbp_module *, const struct bbp_map_function *, size_t *first,
                       size_t *stop);
/* 0 or -errno: the map is damaged, or there is no memory. */
int bbp_graph_make (struct bbp_graph *, const struct bbp_module *);
void bbp_graph_free (struct bbp_graph *);
/* false: the record is damaged. */
bool bbp_graph_read (struct bbp_graph *, const struct bbp_module *,
                     const struct bbp_map_function *);

/* in_flight.c: the address in its function of a thread at PC, which may be in code for recording
   threads. */
uintptr_t bbp_flow_home (uintptr_t pc);
/* The block that control has reached, but not counted yet, with PC at its head or on an edge into
   it; 0: none. */
uintptr_t bbp_flow_uncounted (uintptr_t pc);
/* The word that the last bit belongs to. */
enum bbp_word {
  BBP_WORD_FILLS,
  BBP_WORD_FULL,       /* it is in no piece yet */
  BBP_WORD_FULL_OR_PUT /* likewise, or was just put into one */
};
/* PC is behind a trace point's record of a jump, and in front of the jump. */
bool bbp_flow_is_ahead (uintptr_t pc, enum bbp_word *word);

/* The only function of a module in which a thread in flight may be; null: none. */
struct bbp_place {
  const struct bbp_map_function *function;
  uintptr_t behind; /* bytes from the start of its part */
};
/* The places of N threads. */
void bbp_flow_place (const struct bbp_module *, const struct bbp_in_flight *, size_t n,
                     struct bbp_place *);

/* flow.c.  To be called in this order: */
/* in_flight.c; false: it is not in this function. */
bool bbp_flow_interrupt (struct bbp_graph *, struct bbp_in_flight);
bool bbp_flow_derive (struct bbp_graph *,
                      const int64_t *counters); /* false: the record is damaged */
/* sets counts below 0 to 0; returns the sum of the changes */
uint64_t bbp_flow_clip (struct bbp_graph *);
uint64_t bbp_flow_entries (const struct bbp_graph *); /* number of entries of the function */
/* entry_counters.c: by which sign each of the function's counters adds to its number of entries,
   and the number of entries that no counter has counted yet, of threads in flight; SIGNS: room
   for NCOUNTERS.  To be called instead of the above, but after bbp_flow_interrupt.  False: its
   entries are not counted. */
bool bbp_flow_entry_signs (struct bbp_graph *, signed char *signs, int64_t *in_flight);
/* Number of executions of the call. */
uint64_t bbp_flow_calls (const struct bbp_graph *, const struct bbp_graph_call *);

#pragma GCC visibility pop

#endif
