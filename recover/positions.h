/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the positions in a function at which a thread may have been when its process was killed.

   At the thread's node of the graph, one more execution came in than went out.  flow.c does not
   know that and continues it to the outside by edges without counters.  These edges form a tree
   with the outside as root, so there is one path from each node.  Counts derived along it are wrong
   by one: too high on edges towards the root, too low on the others.

   Most positions are excluded, because they would contradict what is known of the same thread:
   counts would be below 0, functions would have been called more often than entered, or would
   have returned more often than they were left. */
#ifndef BBPROF_POSITIONS_H
#define BBPROF_POSITIONS_H

#include "runtime/base/state.h"
#include "runtime/dump/flow.h"

/* The counts of one thread, over all functions, by run-time addresses.  Counts of functions are
   arcs from 0. */
struct facts {
  const struct bbp_counts *functions; /* all functions with calls counted as arcs */
  /* Functions that some thread called from an unknown caller; plus FACTS_ENDED, if those calls
     returned. */
  const struct bbp_counts *outside;
  struct bbp_counts interrupts; /* addresses that handlers of the program interrupted */
  struct bbp_counts hooks;      /* arcs of indirect calls */
  /* How often the thread called functions, and entered them. */
  struct bbp_counts called, entered;
  struct bbp_counts returned, left; /* how often they returned to direct calls, and were left */
  uintptr_t lacks;                  /* a function that was called once more than entered; or 0 */
  uintptr_t torn;                   /* a function with counts below 0; or 0 */
  /* More is wrong than one position can explain, so none is excluded. */
  bool strange;
};

#define FACTS_ENDED (UINT64_C (1) << 32)

/* Arrays for the largest function so far; zeros at first. */
struct positions {
  uint32_t *order;  /* the nodes, each before its parent */
  uint32_t *up;     /* of each: the edge to its parent */
  uint32_t *degree; /* of each: number of its edges that are not in the tree yet, */
  uint32_t *edges;  /* and the xor of their numbers */
  uint32_t *top;    /* of each: the last node before the root */
  uint32_t *fixed;  /* of each: edges with counts below 0 on its path */
  uint32_t *within; /* of each: possible positions in its subtree */
  uint32_t *into;   /* of the last ones: positions with a path that leads into it, and itself */
  unsigned char *gate, *by;
  bool *good, *may; /* the path is possible; the thread may have been there */
  size_t n, room;
  size_t possible; /* in the function */
};

/* GRAPH is derived.  False: out of memory. */
bool positions_find (struct positions *, const struct bbp_graph *, const struct facts *);
void positions_free (struct positions *);

/* The function that CALL calls directly, if its calls are arcs; FROM: as in an arc.  0: none. */
uintptr_t positions_callee (const struct facts *, const struct bbp_graph_call *, uintptr_t *from);

/* The hook of the indirect call CALL, behind START, that recorded a call of SELF: its arc, or
   null. */
const struct bbp_count *positions_hook (const struct facts *, const struct bbp_graph_call *call,
                                        uintptr_t start, uintptr_t self);

/* The node with EDGE as edge to its parent; BBP_OUTSIDE: the edge has a counter. */
uint32_t positions_hanging (const struct positions *, const struct bbp_graph *, uint32_t edge);

#endif
