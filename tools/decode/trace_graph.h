/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow graphs of all traced functions, as the walk along a trace needs them: where a
   block continues only with information from the trace.  Made from the map; blocks and calls
   have the map's numbers.  Behind them are *lone* blocks, those of historic code
   (__bb_trace_func).  Only their addresses are known; each execution of one is recorded. */
#ifndef BBPROF_TRACE_GRAPH_H
#define BBPROF_TRACE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/map.h"

#define GRAPH_NO_BLOCK UINT32_MAX

/* How control leaves a block behind its calls (bbprof-abi.h, "what the stream says"). */
enum graph_end {
  GRAPH_LEAVES,  /* out of the function */
  GRAPH_ONE,     /* to its only successor */
  GRAPH_FOREVER, /* to its only successor, and from there back to the block, without any event */
  GRAPH_BIT,     /* to one of two */
  GRAPH_GO,      /* to its only successor, or out */
  GRAPH_TOKEN    /* to one of many */
};

struct graph_block {
  uint64_t start; /* address */
  uint32_t function;
  uint32_t first_call, ncalls;
  /* successors: graph.ways[...]; of GRAPH_TOKEN sorted by address, else in the map's order */
  uint32_t first_way, nways;
  uint8_t end; /* enum graph_end */
  bool lands;  /* its trace point records a token whenever control arrives, on any way */
  bool hidden; /* hidden by the user's selection */
};

struct graph_call {
  uint64_t point;
  uint32_t block;
  bool final; /* its return is not recorded */
  bool tail;
  /* The first block of the function that it calls, if the machine code says so, and the entry may
     be recorded as expected; else GRAPH_NO_BLOCK. */
  uint32_t callee;
};

struct graph_function {
  uint32_t first, nblocks;
  bool lands; /* one of its blocks lands */
};

/* The code at an address, as tokens name it. */
enum graph_what { GRAPH_NOTHING, GRAPH_ENTRY, GRAPH_LANDING, GRAPH_POINT, GRAPH_LONE };
struct graph_target {
  uint64_t address;
  enum graph_what what;
  uint32_t index; /* number of the block or call */
};

struct graph {
  struct graph_block *blocks;
  uint32_t nblocks;
  struct graph_call *calls;
  uint32_t *ways;
  struct graph_function *functions;
  uint32_t nfunctions;
  /* private: a hash table by address; traced code only */
  struct graph_target *table;
  size_t mask;
};

struct graph_lone {
  uint64_t address;
  bool first; /* hidden blocks of its function */
};

/* False: no memory; call graph_free in both cases. */
bool graph_make (struct graph *, const struct map *, const struct graph_lone *lone, size_t nlone);
void graph_free (struct graph *);

/* Hides the function that begins with the block at ADDRESS. */
void graph_hide (struct graph *, uint64_t address);

/* The target of a token with ADDRESS (of the map); GRAPH_NOTHING: the token is invalid. */
struct graph_target graph_find (const struct graph *, uint64_t address);

/* The successor at ADDRESS of BLOCK, which ends with GRAPH_TOKEN; or GRAPH_NO_BLOCK. */
uint32_t graph_successor (const struct graph *, uint32_t block, uint64_t address);

#endif
