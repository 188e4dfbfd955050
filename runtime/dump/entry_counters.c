/* SPDX-License-Identifier: MIT */
/* The entries of a function as a sum of its counters, for reading them while threads run
   (derive.md):  without counters, the edges form a tree.  Without the edge of the entry, that
   tree is in two parts, and no other edge between them lacks a counter.  What goes in by the
   entry and by counted edges goes out by counted edges.  Context: cold. */
#include "runtime/dump/flow.h"

/* A node that represents the part of NODE.  EDGES is free before counts are derived: here it is a
   node of the same part. */
static uint32_t
part_of (struct bbp_graph *graph, uint32_t node)
{
  struct bbp_graph_node *nodes = graph->nodes;
  while (nodes[node].edges != node)
    node = nodes[node].edges = nodes[nodes[node].edges].edges;
  return node;
}

/* The function's entry is the second edge; see bbp_flow_entries. */
static void
make_parts (struct bbp_graph *graph)
{
  for (uint32_t i = 0; i < graph->nnodes; i++)
    graph->nodes[i].edges = i;
  for (size_t i = 0; i < graph->nedges; i++)
    if (!graph->edges[i].counted && i != 1)
      graph->nodes[part_of (graph, graph->edges[i].from)].edges
          = part_of (graph, graph->edges[i].to);
}

bool
bbp_flow_entry_signs (struct bbp_graph *graph, signed char *signs, int64_t *in_flight)
{
  if (!(graph->blocks->shape & BBP_BLOCK_IN) || (graph->flags & BBP_FUNCTION_BARE))
    return false;
  make_parts (graph);
  const uint32_t inside = part_of (graph, bbp_graph_in (0));
  for (size_t i = 0; i < graph->nedges; i++)
    if (graph->edges[i].counted)
      *signs++ = (signed char) ((part_of (graph, graph->edges[i].from) == inside)
                                - (part_of (graph, graph->edges[i].to) == inside));
  *in_flight = 0;
  for (uint32_t i = 0; i < graph->nnodes; i++)
    if (part_of (graph, i) == inside)
      *in_flight -= (int64_t) graph->nodes[i].balance;
  return part_of (graph, BBP_OUTSIDE) != inside;
}
