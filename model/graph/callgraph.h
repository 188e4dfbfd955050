/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph: functions, arcs, cycles, and each function's time passed on to its callers.
   Built once from symbols and profile; then only read. */
#ifndef BBPROF_CALLGRAPH_H
#define BBPROF_CALLGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "model/files/profile.h"
#include "model/graph/code_calls.h"
#include "model/symbols/symtab.h"

/* Calls from one function to another.  Times are in samples. */
struct arc {
  uint32_t parent, child; /* nodes */
  uint64_t count;
  double time;       /* the child's self time that this parent caused */
  double child_time; /* the same for the time that the child inherited */
};

#define NO_NODE UINT32_MAX

/* A function, or a whole cycle (functions that call each other), which is one entry of the
   report. */
struct node {
  const struct symbol *symbol; /* null: a cycle */
  uint64_t calls;              /* from other functions; of a cycle: from outside */
  uint64_t self_calls;         /* from itself; of a cycle: between its members */
  uint64_t outside_calls;      /* from unknown callers: not in the graph, as in gprof */
  double time;                 /* self time: samples */
  double child_time;           /* time of its callees: samples */
  /* The part of its time that goes into the graph: 1, or less if callers are hidden. */
  double fraction;
  double self, child; /* time and child_time as the graph shows them */
  uint32_t head;      /* its cycle; itself if it is in none */
  /* Of a cycle: the first member; of a member: the next one; or NO_NODE. */
  uint32_t next;
  uint32_t cycle; /* number of its cycle; 0: none */
  uint32_t level; /* a caller's is higher than its callees'; equal in a cycle */
  uint32_t index; /* in the report: [1], [2], ... */
  bool shown;     /* has an entry, unless that would be all zeros */
};

struct callgraph {
  struct node *nodes; /* the symbols in their order, then the cycles */
  uint32_t nsymbols, nnodes;
  /* By their parents: those that leave node n are [first_child[n] ... first_child[n + 1]), the
     newest pair first. */
  struct arc *arcs;
  uint32_t narcs;
  uint32_t *first_child;
  /* The arcs that lead to node n: [first_parent[n] ... first_parent[n + 1]), likewise. */
  uint32_t *parents, *first_parent;
  /* Of each arc, its place in the order of first appearance.  NRECORDED of them come first, which
     are the profile's; the others are in the code only. */
  uint32_t *dates;
  uint32_t nrecorded;
  uint32_t *order;      /* all nodes by index: order[0] is [1] */
  double samples;       /* in the histograms, without those of helpers */
  double shown_samples; /* samples that the graph passes on */
};

/* Takes all symbols and arcs, except the profiler's own hooks. */
bool callgraph_build (struct callgraph *, const struct symtab *, const struct profile *,
                      struct error *);
/* The selection of a report. */
struct callgraph_choice {
  const struct specs *specs;
  const struct code_calls *calls; /* add these, if only as 0 calls; null: none */
  /* The caller is the function around the call, if the profile has its address.  Else, as in
     gprof, it is the function around the next instruction, which differs if the call is the last
     code of a function. */
  bool by_calls;
};
bool callgraph_build_for (struct callgraph *, const struct symtab *, const struct profile *,
                          const struct callgraph_choice *, struct error *);
void callgraph_free (struct callgraph *);

/* The steps of callgraph_build, in this order; each in its file. */
/* attribute.c. */
bool callgraph_collect (struct callgraph *, const struct symtab *, const struct profile *,
                        const struct callgraph_choice *);
/* cycles.c. */
bool callgraph_find_cycles (struct callgraph *);
/* propagate.c. */
bool callgraph_propagate (struct callgraph *, const struct specs *);
/* callgraph.c. */
bool callgraph_number (struct callgraph *);

/* Fills ARCS with the numbers of all arcs, the oldest first. */
void callgraph_by_date (const struct callgraph *, uint32_t *arcs);

/* Element I of a list of arcs.  LIST: g->parents, or null for children, which are neighbours. */
static inline uint32_t
callgraph_arc (const uint32_t *list, uint32_t i)
{
  return list ? list[i] : i;
}

/* A node's arcs and the nodes at their other ends are anywhere in memory.  Tells the processor to
   fetch all of them before the first is needed.  LIST: as above; FIRST: where those of each node
   begin. */
static inline void
callgraph_fetch (const struct callgraph *g, const uint32_t *list, const uint32_t *first,
                 uint32_t node)
{
  enum { MOST = 32 };
  uint32_t begin = first[node],
           end = first[node + 1] - begin > MOST ? begin + MOST : first[node + 1];
  for (uint32_t i = begin; i < end; i++)
    __builtin_prefetch (&g->arcs[callgraph_arc (list, i)]);
  for (uint32_t i = begin; i < end; i++)
    {
      const struct arc *a = &g->arcs[callgraph_arc (list, i)];
      const struct node *other = &g->nodes[list ? a->parent : a->child];
      __builtin_prefetch (&other->calls);
      __builtin_prefetch (&other->level);
    }
}

/* Only symbols have arcs; so cycles have none. */
static inline bool
node_is_cycle (const struct node *n)
{
  return n->symbol == NULL;
}

#endif
