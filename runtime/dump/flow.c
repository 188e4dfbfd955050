/* SPDX-License-Identifier: MIT */
/* Derives the counts of all edges of a function from those with counters.  The edges without
   counters form a tree, so there is always a node with only one unknown edge; its count is the
   node's balance, because flow in equals flow out.  Each edge is visited a few times, so the time
   is linear.  Context: cold. */
#include "runtime/dump/flow.h"

static void
set_count (struct bbp_graph *graph, const struct bbp_graph_edge *edge)
{
  graph->nodes[edge->from].balance -= edge->count;
  graph->nodes[edge->to].balance += edge->count;
}

static void
add_unknown (struct bbp_graph_node *node, uint32_t edge)
{
  node->degree++;
  node->edges ^= edge;
}

static void
remove_unknown (struct bbp_graph_node *node, uint32_t edge)
{
  node->degree--;
  node->edges ^= edge;
}

/* Returns the number of edges without counter. */
static size_t
begin (struct bbp_graph *graph, const int64_t *counters)
{
  size_t unknown = 0;
  for (uint32_t i = 0; i < graph->nedges; i++)
    {
      struct bbp_graph_edge *edge = &graph->edges[i];
      if (edge->counted)
        {
          edge->count = (uint64_t) *counters++;
          set_count (graph, edge);
          continue;
        }
      add_unknown (&graph->nodes[edge->from], i);
      add_unknown (&graph->nodes[edge->to], i);
      unknown++;
    }
  return unknown;
}

/* Compute the only unknown edge of NODE, then that of its other end if it is the only one, and so
   on; returns how many.  BBP_OUTSIDE has no known balance. */
static size_t
peel (struct bbp_graph *graph, uint32_t node)
{
  size_t solved = 0;
  while (node != BBP_OUTSIDE && graph->nodes[node].degree == 1)
    {
      uint32_t number = graph->nodes[node].edges;
      struct bbp_graph_edge *edge = &graph->edges[number];
      bool leaves = edge->from == node;
      edge->count = leaves ? graph->nodes[node].balance : -graph->nodes[node].balance;
      set_count (graph, edge);
      remove_unknown (&graph->nodes[edge->from], number);
      remove_unknown (&graph->nodes[edge->to], number);
      node = leaves ? edge->to : edge->from;
      solved++;
    }
  return solved;
}

/* COUNTERS: the totals of the function's counters. */
bool
bbp_flow_derive (struct bbp_graph *graph, const int64_t *counters)
{
  size_t unknown = begin (graph, counters);
  for (uint32_t node = 0; node < graph->nnodes; node++)
    unknown -= peel (graph, node);
  for (size_t i = 0; i < graph->nedges; i++)
    graph->nodes[graph->edges[i].from].passed += graph->edges[i].count;
  return unknown == 0;
}

static uint64_t
clip (uint64_t *count)
{
  uint64_t lack = (int64_t) *count < 0 ? -*count : 0;
  *count += lack;
  return lack;
}

/* Edges to outside are no loss: after a reset, calls return that were made before. */
uint64_t
bbp_flow_clip (struct bbp_graph *graph)
{
  uint64_t lost = 0;
  for (size_t i = 0; i < graph->nedges; i++)
    {
      uint64_t lack = clip (&graph->edges[i].count);
      if (graph->edges[i].to != BBP_OUTSIDE)
        lost += lack;
    }
  for (size_t i = 0; i < graph->nnodes; i++)
    clip (&graph->nodes[i].passed);
  return lost;
}

/* The first edge of the first block goes into its segment; the next one comes from outside. */
uint64_t
bbp_flow_entries (const struct bbp_graph *graph)
{
  return graph->blocks->shape & BBP_BLOCK_IN ? graph->edges[1].count : 0;
}

uint64_t
bbp_flow_calls (const struct bbp_graph *graph, const struct bbp_graph_call *call)
{
  return graph->nodes[call->segment].passed;
}
