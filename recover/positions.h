/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in a function a thread may have stood when its process was killed.

   What has come into the node of the graph where a thread stood has not gone out, and nobody has
   told flow.c: it lets it go on to the outside by edges without counters.  These are a tree with
   the outside as its root, so there is one way from each node, and what is derived on it is
   wrong by one: too much of edges that lead to the root, too little of others.  Where the thread
   stood is not known, but most places are excluded, because what is known of the same thread
   would not be right then: counts that would be below 0, functions that would have been called
   more often than entered, or have come back more often than left. */
#ifndef BBPROF_POSITIONS_H
#define BBPROF_POSITIONS_H

#include "runtime/base/state.h"
#include "runtime/dump/flow.h"

/* The counts of one thread, over all functions, by run-time addresses.  Counts of functions are
   arcs from 0. */
struct facts {
  const struct bbp_counts *functions; /* all whose calls are arcs */
  /* Those with a caller whose calls are not known, in any thread; plus FACTS_ENDED, if they came
     back. */
  const struct bbp_counts *outside;
  struct bbp_counts interrupts; /* places that handlers of the program's have interrupted */
  struct bbp_counts hooks;      /* arcs of indirect calls */
  /* How often the thread has called functions, and entered them. */
  struct bbp_counts called, entered;
  struct bbp_counts returned, left; /* how often they came back to direct calls, and were left */
  uintptr_t lacks;                  /* a function that was called once more than entered; or 0 */
  uintptr_t torn;                   /* a function of which counts are below 0; or 0 */
  /* More is wrong than one place can explain: none is excluded. */
  bool strange;
};

#define FACTS_ENDED (UINT64_C (1) << 32)

/* In memory for the largest function so far; zeros at first. */
struct positions {
  uint32_t *order;  /* the nodes, each before the one that it hangs on */
  uint32_t *up;     /* of each: the edge to that */
  uint32_t *degree; /* of each: how many of its edges hang on nothing yet, */
  uint32_t *edges;  /* and the xor of their numbers */
  uint32_t *top;    /* of each: the last node before the root */
  uint32_t *fixed;  /* of each: how many edges on its way have counts below 0 */
  uint32_t *within; /* of each: places among it and what hangs on it */
  uint32_t *into;   /* of the last ones: those from which the way leads into it, itself included */
  unsigned char *gate, *by;
  bool *good, *may; /* the way is possible; the thread may have stood there */
  size_t n, room;
  size_t places; /* in all */
};

/* GRAPH is derived.  False: no memory. */
bool positions_find (struct positions *, const struct bbp_graph *, const struct facts *);
void positions_free (struct positions *);

/* The function that CALL calls, directly, if its calls are arcs; FROM: as in an arc.  0: it is
   none. */
uintptr_t positions_callee (const struct facts *, const struct bbp_graph_call *, uintptr_t *from);

/* The hook of the indirect call CALL, behind START, that has told of a call of SELF: its arc, or
   null. */
const struct bbp_count *positions_hook (const struct facts *, const struct bbp_graph_call *call,
                                        uintptr_t start, uintptr_t self);

/* The node that hangs on the outside, or on another one, by EDGE; BBP_OUTSIDE: the edge is
   counted. */
uint32_t positions_hanging (const struct positions *, const struct bbp_graph *, uint32_t edge);

#endif
