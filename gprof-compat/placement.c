/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "gprof-compat/placement.h"

#define NOTHING UINT32_MAX

/* The most frequent arcs, up to this part of all calls, form chains. */
#define MOST_CALLS .99

struct placed_thing {
  uint32_t next;       /* of its chain, or NOTHING */
  uint32_t chain;      /* number of the chain: the thing that it began with */
  uint32_t head, tail; /* of the chain of this number */
  int64_t position;    /* in its chain; the head has the lowest */
  bool placed;
};

bool
placement_make (struct placement *p, uint32_t nthings, size_t narcs)
{
  *p = (struct placement) { .things = malloc (((size_t) nthings + 1) * sizeof *p->things),
                            .arcs = calloc (narcs + 1, sizeof *p->arcs),
                            .narcs = narcs,
                            .order = malloc (((size_t) nthings + 1) * sizeof *p->order) };
  if (!p->things || !p->arcs || !p->order)
    return false;
  for (uint32_t i = 0; i < nthings; i++)
    p->things[i] = (struct placed_thing) { .next = NOTHING, .chain = i, .head = i, .tail = i };
  return true;
}

void
placement_free (struct placement *p)
{
  free (p->things);
  free (p->arcs);
  free (p->order);
}

void
placement_put (struct placement *p, uint32_t thing)
{
  if (p->things[thing].placed)
    return;
  p->things[thing].placed = true;
  p->order[p->nordered++] = thing;
}

bool
placement_has (const struct placement *p, uint32_t thing)
{
  return p->things[thing].placed;
}

void
placement_hide (struct placement *p, uint32_t thing, bool hidden)
{
  p->things[thing].placed = hidden;
}

static int
compare_arcs (const void *a, const void *b, void *context)
{
  const struct placement_arc *arcs = context;
  uint64_t x = arcs[*(const uint32_t *) a].count, y = arcs[*(const uint32_t *) b].count;
  return x > y ? -1 : x < y;
}

bool
placement_sort (const struct placement *p, struct placement_list *list)
{
  return array_sort (list->arcs, list->count, sizeof *list->arcs, compare_arcs, p->arcs);
}

static bool
is_single (const struct placement *p, uint32_t thing)
{
  const struct placed_thing *chain = &p->things[p->things[thing].chain];
  return chain->head == chain->tail;
}

/* Attaches the single thing NEW to the end of OLD's chain that is closer to OLD.  If both are
   equally close, FRONT decides. */
static void
attach (struct placement *p, uint32_t new, uint32_t old, bool front)
{
  struct placed_thing *t = p->things, *chain = &t[t[old].chain];
  int64_t before = t[old].position - t[chain->head].position,
          behind = t[chain->tail].position - t[old].position;
  t[new].chain = t[old].chain;
  if (before < behind || (before == behind && front))
    {
      t[new].position = t[chain->head].position - 1;
      t[new].next = chain->head;
      chain->head = new;
    }
  else
    {
      t[new].position = t[chain->tail].position + 1;
      t[chain->tail].next = new;
      chain->tail = new;
    }
}

/* False: the arc joins nothing. */
static bool
join (struct placement *p, const struct placement_arc *a)
{
  if (p->things[a->parent].placed || p->things[a->child].placed)
    return false;
  if (is_single (p, a->parent))
    attach (p, a->parent, a->child, true);
  else if (is_single (p, a->child))
    attach (p, a->child, a->parent, false);
  else
    return false;
  return true;
}

static void
place_chain (struct placement *p, uint32_t thing)
{
  for (uint32_t t = p->things[p->things[thing].chain].head; t != NOTHING; t = p->things[t].next)
    placement_put (p, t);
}

void
placement_chain (struct placement *p, const struct placement_list *list, bool all,
                 struct placement_list *left)
{
  uint64_t total = 0, sum = 0;
  for (size_t i = 0; i < list->count; i++)
    total += p->arcs[list->arcs[i]].count;
  for (size_t i = 0; i < list->count; i++)
    {
      struct placement_arc *a = &p->arcs[list->arcs[i]];
      sum += a->count;
      if (a->done)
        continue;
      bool rare = !all && (double) sum / (double) total > MOST_CALLS;
      if (!rare && join (p, a))
        a->done = true;
      else if (left)
        left->arcs[left->count++] = list->arcs[i];
    }

  for (int singles = 0; singles <= all; singles++)
    for (size_t i = 0; i < list->count; i++)
      {
        const struct placement_arc *a = &p->arcs[list->arcs[i]];
        if (!p->things[a->parent].placed && !p->things[a->child].placed
            && (singles || !is_single (p, a->parent)))
          place_chain (p, a->parent);
      }
}
