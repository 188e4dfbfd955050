/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the edges of the graph that have counters: those off a maximum spanning tree (Knuth and
   Stevenson 1973, Ball and Larus 1994), by Kruskal's algorithm.  An edge's weight is the cost of
   its counter: the compiler's estimate of its executions times the cost of the counter at that
   place.  Edges that cannot be counted come first; bbprof-abi.h says why they form no cycle.

   A counter can be put at a block's head, behind a call, and on an edge that is neither its
   source's nor its target's only one; any other edge is counted by its source or target. */
#include "gcc-plugin/graph.h"

/* In quarters of an instruction.  A counter on a taken branch needs a new block and a jump from
   there.  Where less than every RARE-th call of the function passes, the number of instructions
   counts instead of their executions. */
enum { COST_HEAD = 4, COST_RETURN = 4, COST_EDGE = 5, COST_BRANCH = 10, RARE = 16 };

struct candidate {
  int from, to;
  uint64_t weight;
  bool *counted; /* null: it cannot be counted */
};

struct chooser {
  struct bbp_graph *graph;
  auto_vec<struct candidate> candidates;
  auto_vec<int> parent; /* of each node, in the forest of connected nodes */
  uint64_t calls;       /* executions of the function's entry */
  /* Edges into each block; all stray ones and those from outside count as one. */
  auto_vec<int> nin;
};

static int
root_of (struct chooser *chooser, int node)
{
  while (chooser->parent[node] != node)
    node = chooser->parent[node] = chooser->parent[chooser->parent[node]];
  return node;
}

/* Connects the ends of an edge.  False: they were connected. */
static bool
connect (struct chooser *chooser, int from, int to)
{
  from = root_of (chooser, from);
  to = root_of (chooser, to);
  chooser->parent[from] = to;
  return from != to;
}

static uint64_t
executions (profile_count count)
{
  return count.initialized_p () ? count.to_gcov_type () : 1;
}

static void
add_uncounted (struct chooser *chooser, int from, int to)
{
  bool new_connection = connect (chooser, from, to);
  gcc_assert (new_connection);
}

static void
add_candidate (struct chooser *chooser, int from, int to, uint64_t count, int cost, bool *counted)
{
  uint64_t often = MIN (count, chooser->calls * 100000) * RARE / chooser->calls;
  struct candidate candidate = { from, to, (often + 1) * cost, counted };
  chooser->candidates.safe_push (candidate);
}

/* Adds the edges from segment to segment, and those that leave between segments. */
static void
add_segments (struct chooser *chooser, struct bbp_graph_block *block)
{
  uint64_t count = executions (block->bb->count);
  int node = block->node;
  if (block->in)
    add_uncounted (chooser, 0, node);
  add_candidate (chooser, node, node + 1, count, COST_HEAD, &block->counted);
  node++;
  if (block->leaves)
    add_uncounted (chooser, node, 0);
  for (int i = 0; i < block->ncalls; i++)
    {
      struct bbp_call_site *call = &chooser->graph->calls[block->first_call + i];
      if (call->final)
        continue;
      add_uncounted (chooser, node, 0);
      add_candidate (chooser, node, node + 1, count, COST_RETURN, &call->counted);
      node++;
    }
  if (block->out)
    add_uncounted (chooser, node, 0);
}

static void
add_edge (struct chooser *chooser, const struct bbp_graph_block *block, struct bbp_graph_edge *edge)
{
  const struct bbp_graph_block *target = &chooser->graph->blocks[edge->target];
  int from = block->node + block->nsegments, to = target->node;
  int nout = block->nedges + block->out + (block->leaves && block->nsegments == 1);
  if (nout == 1 || chooser->nin[edge->target] == 1)
    add_uncounted (chooser, from, to);
  else
    add_candidate (chooser, from, to, executions (edge->e->count ()),
                   block->nedges == 1 || (edge->e->flags & EDGE_FALLTHRU) ? COST_EDGE : COST_BRANCH,
                   &edge->counted);
}

static int
compare (const void *a, const void *b)
{
  const struct candidate *x = (const struct candidate *) a, *y = (const struct candidate *) b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  if (x->from != y->from) /* makes the order the same on every machine */
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

void
bbp_spanning_tree_choose (struct bbp_graph *graph)
{
  struct chooser chooser;
  chooser.graph = graph;
  chooser.calls = MAX (executions (ENTRY_BLOCK_PTR_FOR_FN (cfun)->count), 1);
  for (int node = 0; node < graph->nnodes; node++)
    chooser.parent.safe_push (node);
  chooser.nin.safe_grow_cleared (graph->blocks.length (), true);
  for (unsigned i = 0; i < graph->blocks.length (); i++)
    chooser.nin[i] += graph->blocks[i].in;
  for (auto &edge : graph->edges)
    chooser.nin[edge.target]++;
  for (auto &block : graph->blocks)
    {
      add_segments (&chooser, &block);
      for (int i = 0; i < block.nedges; i++)
        add_edge (&chooser, &block, &graph->edges[block.first_edge + i]);
    }
  chooser.candidates.qsort (compare);
  for (auto &candidate : chooser.candidates)
    *candidate.counted = !connect (&chooser, candidate.from, candidate.to);
}
