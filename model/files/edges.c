/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/edges.h"

bool
edges_add (struct edges *e, struct edge new)
{
  if (!array_grow (&e->by_from, e->count, &e->room, sizeof *e->by_from))
    return false;
  e->by_from[e->count++] = new;
  return true;
}

static int
compare (uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int
compare_from (const void *a, const void *b, void *context)
{
  const struct edge *x = a, *y = b;
  (void) context;
  return x->from != y->from ? compare (x->from, y->from) : compare (x->to, y->to);
}

static int
compare_to (const void *a, const void *b, void *context)
{
  const struct edge *x = a, *y = b;
  (void) context;
  return x->to != y->to ? compare (x->to, y->to) : compare (x->from, y->from);
}

static void
unite (struct edges *e)
{
  size_t n = 0;
  for (size_t i = 1; i < e->count; i++)
    if (compare_from (&e->by_from[n], &e->by_from[i], NULL) == 0)
      e->by_from[n].count += e->by_from[i].count;
    else
      e->by_from[++n] = e->by_from[i];
  e->count = e->count ? n + 1 : 0;
}

bool
edges_finish (struct edges *e)
{
  if (!array_sort (e->by_from, e->count, sizeof *e->by_from, compare_from, NULL))
    return false;
  unite (e);
  e->by_to = malloc ((e->count + 1) * sizeof *e->by_to);
  if (!e->by_to)
    return false;
  if (e->count)
    memcpy (e->by_to, e->by_from, e->count * sizeof *e->by_to);
  return array_sort (e->by_to, e->count, sizeof *e->by_to, compare_to, NULL);
}

void
edges_free (struct edges *e)
{
  free (e->by_from);
  free (e->by_to);
  memset (e, 0, sizeof *e);
}

/* The number of the N edges before PLACE. */
static size_t
count_before (const struct edge *edges, size_t n, const struct edge *place,
              int (*order) (const void *, const void *, void *))
{
  return ARRAY_BEFORE (i, n, order (&edges[i], place, NULL) < 0);
}

size_t
edges_to (const struct edges *e, uint64_t address, const struct edge **first)
{
  size_t start = count_before (e->by_to, e->count, &(struct edge) { .to = address }, compare_to);
  size_t end = count_before (e->by_to, e->count, &(struct edge) { .to = address + 1 }, compare_to);
  *first = e->by_to + start;
  return end - start;
}

size_t
edges_from (const struct edges *e, uint64_t address, const struct edge **first)
{
  size_t start
      = count_before (e->by_from, e->count, &(struct edge) { .from = address }, compare_from);
  size_t end
      = count_before (e->by_from, e->count, &(struct edge) { .from = address + 1 }, compare_from);
  *first = e->by_from + start;
  return end - start;
}

double
edges_percent (const struct edge *edge, const struct edge *first, size_t n, uint64_t executions)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += first[i].count;
  const uint64_t all = sum > executions ? sum : executions;
  return all > 0 ? 100 * (double) edge->count / (double) all : 0;
}
