/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dominators by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001): goes
   over the blocks in reverse postorder until nothing changes, which takes two rounds for nearly
   all graphs that compilers make. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/blocks/loops.h"

#define NONE ((size_t) -1)

/* The graph of one function.  Its blocks have the numbers 0 to COUNT - 1.  The root, number
   COUNT, leads to the entry and to all blocks that control may reach from elsewhere. */
struct graph {
  const struct map *map;
  size_t first; /* index of block 0 in the map */
  size_t count;
  size_t *order;  /* postorder: the reachable blocks, then the root */
  size_t *number; /* of each node: its index in order, or NONE */
  /* Of each node: its immediate dominator; while the order is made: the next edge to follow. */
  size_t *above;
  size_t *stack;
  size_t *from; /* predecessors of block b: from[first_from[b]] ... from[first_from[b + 1] - 1] */
  size_t *first_from;
  size_t reached; /* nodes in order */
};

static const struct map_block *
map_block (const struct graph *g, size_t node)
{
  return &g->map->blocks[g->first + node];
}

/* Does the root lead to BLOCK? */
static bool
is_entry (const struct graph *g, size_t block)
{
  return block == 0 || (map_block (g, block)->shape & BBP_BLOCK_IN) != 0;
}

/* The node behind edge number I of NODE.  NONE: that edge leads nowhere; number COUNT: no more
   edges. */
static size_t
way (const struct graph *g, size_t node, size_t i)
{
  if (node == g->count)
    return i == g->count ? g->count : is_entry (g, i) ? i : NONE;
  const struct map_block *b = map_block (g, node);
  return i == b->nways ? g->count : g->map->ways[b->first_way + i].to - g->first;
}

static void
number_nodes (struct graph *g)
{
  size_t depth = 0;
  for (size_t i = 0; i <= g->count; i++)
    {
      g->number[i] = NONE;
      g->above[i] = 0;
    }
  g->reached = 0;
  g->stack[depth++] = g->count;
  g->number[g->count] = 0; /* seen; its index is set when the node is left */
  while (depth > 0)
    {
      size_t node = g->stack[depth - 1], to = way (g, node, g->above[node]);
      if (to == g->count)
        {
          depth--;
          g->number[node] = g->reached;
          g->order[g->reached++] = node;
          continue;
        }
      g->above[node]++;
      if (to == NONE || g->number[to] != NONE)
        continue;
      g->number[to] = 0;
      g->stack[depth++] = to;
    }
}

/* The common dominator of both nodes. */
static size_t
common (const struct graph *g, size_t a, size_t b)
{
  while (a != b)
    if (g->number[a] < g->number[b])
      a = g->above[a];
    else
      b = g->above[b];
  return a;
}

static size_t
dominator (const struct graph *g, size_t block)
{
  size_t found = is_entry (g, block) ? g->count : NONE;
  for (size_t i = g->first_from[block]; i < g->first_from[block + 1]; i++)
    if (g->above[g->from[i]] != NONE)
      found = found == NONE ? g->from[i] : common (g, found, g->from[i]);
  return found;
}

static void
find_dominators (struct graph *g)
{
  bool changed = true;
  for (size_t i = 0; i <= g->count; i++)
    g->above[i] = NONE;
  g->above[g->count] = g->count;
  while (changed)
    {
      changed = false;
      for (size_t i = g->reached - 1; i-- > 0;)
        {
          size_t block = g->order[i], above = dominator (g, block);
          changed |= above != g->above[block];
          g->above[block] = above;
        }
    }
}

static bool
dominates (const struct graph *g, size_t a, size_t b)
{
  while (g->number[b] < g->number[a])
    b = g->above[b];
  return a == b;
}

/* Lists the reachable predecessors of each block. */
static void
list_predecessors (struct graph *g)
{
  memset (g->first_from, 0, (g->count + 2) * sizeof *g->first_from);
  for (int pass = 0; pass < 2; pass++)
    {
      for (size_t n = 0; n + 1 < g->reached; n++)
        for (size_t i = 0; i < map_block (g, g->order[n])->nways; i++)
          {
            size_t to = way (g, g->order[n], i);
            if (pass == 0)
              g->first_from[to + 2]++;
            else
              g->from[g->first_from[to + 1]++] = g->order[n];
          }
      for (size_t i = 2; pass == 0 && i < g->count + 2; i++)
        g->first_from[i] += g->first_from[i - 1];
    }
}

/* The largest loop known so far that contains BLOCK. */
static size_t
outermost (const struct loops *l, size_t loop)
{
  while (loop != NO_LOOP && l->loops[loop].around != NO_LOOP)
    loop = l->loops[loop].around;
  return loop;
}

/* Gives loop NEW its blocks: predecessors of its blocks, back to its head.  The head of an inner
   loop stands for the whole inner loop. */
static void
collect (struct loops *l, struct graph *g, size_t new, size_t depth)
{
  while (depth > 0)
    {
      size_t block = g->stack[--depth], inner = outermost (l, l->innermost[g->first + block]);
      if (inner == new)
        continue;
      if (inner == NO_LOOP)
        l->innermost[g->first + block] = new;
      else
        {
          l->loops[inner].around = new;
          block = l->loops[inner].head - g->first;
        }
      for (size_t i = g->first_from[block]; i < g->first_from[block + 1]; i++)
        g->stack[depth++] = g->from[i];
    }
}

/* Makes the loop with head HEAD, if there is one. */
static bool
find_loop (struct loops *l, struct graph *g, size_t head)
{
  struct loop new = { .head = g->first + head, .around = NO_LOOP };
  size_t depth = 0;
  for (size_t i = g->first_from[head]; i < g->first_from[head + 1]; i++)
    if (dominates (g, head, g->from[i]))
      {
        new.returns |= g->from[i] == head;
        g->stack[depth++] = g->from[i];
      }
  if (depth == 0)
    return true;
  if (!array_grow (&l->loops, l->count, &l->room, sizeof *l->loops))
    return false;
  l->loops[l->count] = new;
  l->innermost[new.head] = l->count;
  collect (l, g, l->count++, depth);
  return true;
}

/* Heads in postorder: those of inner loops come first. */
static bool
find_in_function (struct loops *l, struct graph *g)
{
  bool ok = true;
  number_nodes (g);
  list_predecessors (g);
  find_dominators (g);
  for (size_t i = 0; ok && i + 1 < g->reached; i++)
    ok = find_loop (l, g, g->order[i]);
  return ok;
}

/* Index of the block behind the last one of the function that begins with FIRST; and its number
   of edges. */
static size_t
function_end (const struct map *m, size_t first, size_t *ways)
{
  size_t end = first;
  for (*ways = 0; end < m->count && m->blocks[end].function == first; end++)
    *ways += m->blocks[end].nways;
  return end;
}

/* Makes room for the largest function. */
static bool
make_room (struct graph *g)
{
  size_t most = 0, most_ways = 0, ways;
  for (size_t first = 0, end; first < g->map->count; first = end)
    {
      end = function_end (g->map, first, &ways);
      most = end - first > most ? end - first : most;
      most_ways = ways > most_ways ? ways : most_ways;
    }
  size_t **tables[] = { &g->order, &g->number, &g->above, &g->first_from };
  bool ok = true;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    ok &= (*tables[i] = calloc (most + 2, sizeof **tables[i])) != NULL;
  ok &= (g->from = calloc (most_ways + 1, sizeof *g->from)) != NULL;
  ok &= (g->stack = calloc (most + 2 * most_ways + 1, sizeof *g->stack)) != NULL;
  return ok;
}

bool
loops_find (struct loops *l, const struct map *map)
{
  struct graph g = { .map = map };
  size_t ways;
  memset (l, 0, sizeof *l);
  l->innermost = malloc ((map->count + 1) * sizeof *l->innermost);
  bool ok = make_room (&g) && l->innermost;
  for (size_t i = 0; ok && i < map->count; i++)
    l->innermost[i] = NO_LOOP;
  for (; ok && g.first < map->count; g.first += g.count)
    {
      g.count = function_end (map, g.first, &ways) - g.first;
      ok = find_in_function (l, &g);
    }
  for (size_t i = l->count; i-- > 0;)
    l->loops[i].depth = l->loops[i].around == NO_LOOP ? 1 : l->loops[l->loops[i].around].depth + 1;
  free (g.order);
  free (g.number);
  free (g.above);
  free (g.stack);
  free (g.from);
  free (g.first_from);
  return ok;
}

void
loops_free (struct loops *l)
{
  free (l->loops);
  free (l->innermost);
  memset (l, 0, sizeof *l);
}

bool
loops_contain (const struct loops *l, size_t loop, size_t block)
{
  size_t in = l->innermost[block];
  while (in != NO_LOOP && in != loop)
    in = l->loops[in].around;
  return in == loop;
}
