/* SPDX-License-Identifier: MIT */
/* The counts of all edges of a function, from those that have counters.  The others make no
   cycle, so as long as some are not known there is a node with only one of those: it is what the
   node's balance lacks, because as much goes out of a node as comes in.  Each edge is looked at
   a few times, so the time is linear.  Context: cold. */
#include "runtime/dump/flow.h"

static void
know (struct bbp_graph *graph, const struct bbp_graph_edge *edge)
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

/* How many are not counted. */
static size_t
begin (struct bbp_graph *graph, const long *counters)
{
  size_t unknown = 0;
  for (uint32_t i = 0; i < graph->nedges; i++)
    {
      struct bbp_graph_edge *edge = &graph->edges[i];
      if (edge->counted)
        {
          edge->count = (uint64_t) *counters++;
          know (graph, edge);
          continue;
        }
      add_unknown (&graph->nodes[edge->from], i);
      add_unknown (&graph->nodes[edge->to], i);
      unknown++;
    }
  return unknown;
}

/* Solve the only unknown edge of NODE, then perhaps that of its other end, and so on; how many
   were solved.  What is outside is no node whose balance is known. */
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
      know (graph, edge);
      remove_unknown (&graph->nodes[edge->from], number);
      remove_unknown (&graph->nodes[edge->to], number);
      node = leaves ? edge->to : edge->from;
      solved++;
    }
  return solved;
}

/* TOTALS: those of its counters. */
bool
bbp_flow_derive (struct bbp_graph *graph, const long *counters)
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

/* Of the edges that lead outside it is no loss: after a reset, calls return that were made
   before. */
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

/* The first block's edges begin with that into its segment, and then that from outside. */
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
