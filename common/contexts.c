/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/contexts.h"

enum { TABLE_LEAST = 64 };

static size_t
hash (uint32_t parent, uint32_t kind, uint64_t address)
{
  uint64_t h = (address ^ (uint64_t) kind << 56) * 0x9e3779b97f4a7c15UL;
  h = (h ^ h >> 32 ^ parent) * 0xd6e8feb86659fd93UL;
  return (size_t) (h ^ h >> 32);
}

/* The slot of the node in the table, or the free slot for it.  Nodes that are entered one after the
   other have parents near each other, and so have their slots: the first ones that are tried.  A
   parent with many children has most of them anywhere. */
static uint32_t *
find (const struct contexts *t, uint32_t parent, uint32_t kind, uint64_t address)
{
  enum { TRIED_NEAR = 16 };
  const size_t far = hash (parent, kind, address), near = 2 * (size_t) parent + (far >> 52);
  for (size_t n = 0;; n++)
    {
      const size_t i = ((n < TRIED_NEAR ? near : far) + n) & (t->table_size - 1);
      const struct context *c = &t->nodes[t->table[i]];
      if (t->table[i] == 0 || (c->parent == parent && c->kind == kind && c->address == address))
        return &t->table[i];
    }
}

/* Half of the table stays free. */
static bool
make_room (struct contexts *t)
{
  if (!array_grow (&t->nodes, t->count, &t->room, sizeof *t->nodes))
    return false;
  if (t->count == 0)
    t->nodes[t->count++] = (struct context) { 0 };
  if (!array_grow (&t->nodes, t->count, &t->room, sizeof *t->nodes))
    return false;
  if (t->count < t->table_size / 2)
    return true;
  size_t size = t->table_size ? 2 * t->table_size : TABLE_LEAST;
  uint32_t *table = calloc (size, sizeof *table);
  if (!table)
    return false;
  free (t->table);
  t->table = table;
  t->table_size = size;
  for (size_t i = 1; i < t->count; i++)
    *find (t, t->nodes[i].parent, t->nodes[i].kind, t->nodes[i].address) = (uint32_t) i;
  return true;
}

bool
contexts_reserve (struct contexts *t, size_t n)
{
  size_t size = TABLE_LEAST;
  while (size / 2 <= n)
    size *= 2;
  struct context *nodes = calloc (n + 1, sizeof *nodes);
  uint32_t *table = calloc (size, sizeof *table);
  if (!nodes || !table)
    {
      free (nodes);
      free (table);
      return false;
    }
  *t = (struct contexts) {
    .nodes = nodes, .count = 1, .room = n + 1, .table = table, .table_size = size
  };
  return true;
}

uint32_t
contexts_enter (struct contexts *t, uint32_t parent, uint32_t kind, uint64_t address)
{
  if (t->count == UINT32_MAX || !make_room (t))
    return 0;
  uint32_t *place = find (t, parent, kind, address);
  if (*place == 0)
    {
      *place = (uint32_t) t->count;
      t->nodes[t->count++]
          = (struct context) { .address = address, .parent = parent, .kind = kind };
    }
  return *place;
}

static int
compare_nodes (const void *a, const void *b, void *context)
{
  const struct context *nodes = context, *x = &nodes[*(const uint32_t *) a],
                       *y = &nodes[*(const uint32_t *) b];
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* Sorts the children of one parent, which are few in most cases. */
static bool
sort_children (const struct contexts *t, uint32_t *children, size_t n)
{
  if (n > 16)
    return array_sort (children, n, sizeof *children, compare_nodes, t->nodes);
  for (size_t i = 1; i < n; i++)
    {
      uint32_t child = children[i];
      size_t k = i;
      for (; k > 0 && compare_nodes (&children[k - 1], &child, t->nodes) > 0; k--)
        children[k] = children[k - 1];
      children[k] = child;
    }
  return true;
}

/* Children are gathered by their parent first: parents are near in memory, while all nodes in one
   order would be visited at random. */
bool
contexts_sort (struct contexts *t)
{
  uint32_t *children = malloc ((t->count + 1) * sizeof *children);
  size_t *end = calloc (t->count + 1, sizeof *end); /* of each node's children */
  bool ok = children && end;
  for (size_t i = 1; ok && i < t->count; i++)
    end[t->nodes[i].parent + 1]++;
  for (size_t i = 1; ok && i < t->count; i++)
    end[i] += end[i - 1];
  for (size_t i = 1; ok && i < t->count; i++)
    children[end[t->nodes[i].parent]++] = (uint32_t) i;
  for (size_t i = 0, begin = 0; ok && i < t->count; begin = end[i++])
    {
      ok = sort_children (t, children + begin, end[i] - begin);
      t->nodes[i].first = begin < end[i] ? children[begin] : 0;
      for (size_t k = begin; k < end[i]; k++)
        t->nodes[children[k]].next = k + 1 < end[i] ? children[k + 1] : 0;
    }
  if (t->count > 0)
    t->nodes[0].next = 0;
  free (children);
  free (end);
  return ok;
}

uint32_t
contexts_next (const struct contexts *t, uint32_t node)
{
  return contexts_next_below (t, 0, node);
}

uint32_t
contexts_next_below (const struct contexts *t, uint32_t root, uint32_t node)
{
  if (t->count == 0)
    return 0;
  if (t->nodes[node].first != 0)
    return t->nodes[node].first;
  while (node != root && t->nodes[node].next == 0)
    node = t->nodes[node].parent;
  return node == root ? 0 : t->nodes[node].next;
}

uint64_t *
contexts_totals (const struct contexts *t)
{
  uint64_t *totals = calloc (t->count + 1, sizeof *totals);
  for (size_t i = t->count; totals && i-- > 1;)
    {
      totals[i] += t->nodes[i].ticks;
      totals[t->nodes[i].parent] += totals[i];
    }
  return totals;
}

void
contexts_free (struct contexts *t)
{
  free (t->nodes);
  free (t->table);
  memset (t, 0, sizeof *t);
}
