/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds cycles of functions that call each other, and an order in which callees come before
   callers. */
#include <stdlib.h>
#include <string.h>

#include "model/graph/callgraph.h"

/* A depth-first walk; PATH is the path from the root to the current function.  When a call leads
   to a function that the walk has not left yet, all functions on the path above that one are in
   one cycle with it:

     path:  main  a  b  c        c calls a:  a, b, c become the cycle of head a
                  ^--------|

   A function that starts no cycle and is in none is a cycle of one.  HEADS are the heads among
   the functions on the path; those above the function called back must still be joined, so each
   joins only once.  The head of a function is found by union-find.  The lists of members grow at
   their tails, in gprof's order, which shows in the last digit of sums. */
struct walk {
  struct callgraph *g;
  struct step {
    uint32_t node;
    uint32_t next_arc; /* in g->arcs */
  } * path;
  uint32_t depth;
  uint32_t *heads; /* positions in path */
  uint32_t nheads;
  uint32_t *position; /* of a node in path, + 1; 0: not on it */
  uint32_t *tail;     /* of a head's list of members */
  uint32_t level;
};

/* The head of N's cycle; shortens the path to it. */
static uint32_t
head_of (struct callgraph *g, uint32_t n)
{
  struct node *nodes = g->nodes;
  while (nodes[n].head != n)
    {
      nodes[n].head = nodes[nodes[n].head].head;
      n = nodes[n].head;
    }
  return n;
}

static void
enter (struct walk *w, uint32_t n)
{
  callgraph_fetch (w->g, NULL, w->g->first_child, n);
  w->path[w->depth] = (struct step) { .node = n, .next_arc = w->g->first_child[n] };
  w->heads[w->nheads++] = w->depth++;
  w->position[n] = w->depth;
}

/* The walk reached CALLED, which it has not left yet. */
static void
close_cycle (struct walk *w, uint32_t called)
{
  struct node *nodes = w->g->nodes;
  uint32_t head = head_of (w->g, called);
  /* If CALLED is no longer on the path, its head is. */
  uint32_t top = (w->position[called] ? w->position[called] : w->position[head]) - 1;
  uint32_t first = w->nheads;
  while (first > 0 && w->heads[first - 1] > top)
    first--;
  for (uint32_t i = first; i < w->nheads; i++)
    {
      uint32_t joins = w->path[w->heads[i]].node;
      nodes[w->tail[head]].next = joins;
      nodes[joins].head = head;
      w->tail[head] = w->tail[joins];
    }
  w->nheads = first;
}

/* Leaves the last function on the path, after all its callees were visited. */
static void
leave (struct walk *w)
{
  struct node *nodes = w->g->nodes;
  uint32_t n = w->path[--w->depth].node;
  w->position[n] = 0;
  if (nodes[n].head != n)
    return;
  w->nheads--;
  w->level++;
  for (uint32_t member = n; member != NO_NODE; member = nodes[member].next)
    nodes[member].level = w->level;
}

static void
visit_all_from (struct walk *w, uint32_t root)
{
  const struct callgraph *g = w->g;
  enter (w, root);
  while (w->depth > 0)
    {
      struct step *step = &w->path[w->depth - 1];
      if (step->next_arc == g->first_child[step->node + 1])
        {
          leave (w);
          continue;
        }
      uint32_t child = g->arcs[step->next_arc++].child;
      if (g->nodes[child].level != 0)
        continue;
      if (w->position[child] || g->nodes[child].head != child)
        close_cycle (w, child);
      else
        enter (w, child);
    }
}

/* Makes a node for each cycle: behind the symbols, in the order of their heads. */
static bool
make_cycles (struct callgraph *g)
{
  uint32_t ncycles = 0;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    ncycles += head_of (g, i) == i && g->nodes[i].next != NO_NODE;
  struct node *nodes = realloc (g->nodes, ((size_t) g->nsymbols + ncycles + 1) * sizeof *nodes);
  if (!nodes)
    return false;
  g->nodes = nodes;
  memset (nodes + g->nsymbols, 0, ncycles * sizeof *nodes);

  uint32_t number = 0;
  for (uint32_t i = 0; i < g->nsymbols; i++)
    if (nodes[i].head == i && nodes[i].next != NO_NODE)
      {
        uint32_t c = g->nnodes++;
        nodes[c].cycle = ++number;
        nodes[c].head = c;
        nodes[c].next = i;
        nodes[c].level = nodes[i].level;
        for (uint32_t m = i; m != NO_NODE; m = nodes[m].next)
          {
            nodes[m].head = c;
            nodes[m].cycle = number;
          }
      }
  return true;
}

static void
count_cycle_calls (struct callgraph *g)
{
  for (uint32_t i = 0; i < g->narcs; i++)
    {
      const struct arc *a = &g->arcs[i];
      struct node *cycle = &g->nodes[g->nodes[a->child].head];
      if (!node_is_cycle (cycle) || a->parent == a->child)
        continue;
      bool inside = g->nodes[a->parent].cycle == cycle->cycle;
      *(inside ? &cycle->self_calls : &cycle->calls) += a->count;
    }
}

bool
callgraph_find_cycles (struct callgraph *g)
{
  struct walk w = { .g = g };
  size_t n = (size_t) g->nsymbols + 1;
  w.path = malloc (n * sizeof *w.path);
  w.heads = malloc (n * sizeof *w.heads);
  w.position = calloc (n, sizeof *w.position);
  w.tail = malloc (n * sizeof *w.tail);
  bool ok = w.path && w.heads && w.position && w.tail;
  if (ok)
    {
      for (uint32_t i = 0; i < g->nsymbols; i++)
        w.tail[i] = i;
      for (uint32_t i = 0; i < g->nsymbols; i++)
        if (g->nodes[i].level == 0)
          visit_all_from (&w, i);
      ok = make_cycles (g);
    }
  if (ok)
    count_cycle_calls (g);
  free (w.tail);
  free (w.position);
  free (w.heads);
  free (w.path);
  return ok;
}
