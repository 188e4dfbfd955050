/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/cover.h"

struct cover_range {
  uint64_t low, high, rank;
  uint32_t owner, number; /* number: order of addition */
};

struct cover_piece {
  uint64_t low;
  uint32_t owner;
};

/* The ranges that have begun and may have ended; a heap with the best rank on top. */
struct heap {
  const struct cover_range **ranges;
  size_t count;
};

bool
cover_add (struct cover *c, uint64_t low, uint64_t high, uint64_t rank, uint32_t owner)
{
  if (low >= high)
    return true;
  if (c->nranges >= UINT32_MAX
      || !array_grow (&c->ranges, c->nranges, &c->room_ranges, sizeof *c->ranges))
    return false;
  c->ranges[c->nranges] = (struct cover_range) { low, high, rank, owner, (uint32_t) c->nranges };
  c->nranges++;
  return true;
}

static int
compare_ranges (const void *a, const void *b, void *context)
{
  const struct cover_range *x = a, *y = b;
  (void) context;
  return x->low < y->low ? -1 : x->low > y->low;
}

static bool
is_better (const struct cover_range *x, const struct cover_range *y)
{
  return x->rank != y->rank ? x->rank < y->rank : x->number > y->number;
}

static void
heap_put (struct heap *h, const struct cover_range *r)
{
  size_t i = h->count++;
  for (; i > 0 && is_better (r, h->ranges[(i - 1) / 2]); i = (i - 1) / 2)
    h->ranges[i] = h->ranges[(i - 1) / 2];
  h->ranges[i] = r;
}

static void
heap_drop (struct heap *h)
{
  const struct cover_range *last = h->ranges[--h->count];
  size_t i = 0;
  for (size_t child = 1; child < h->count; child = 2 * i + 1)
    {
      if (child + 1 < h->count && is_better (h->ranges[child + 1], h->ranges[child]))
        child++;
      if (!is_better (h->ranges[child], last))
        break;
      h->ranges[i] = h->ranges[child];
      i = child;
    }
  h->ranges[i] = last;
}

static bool
add_piece (struct cover *c, uint64_t low, uint32_t owner)
{
  if (c->npieces > 0 && c->pieces[c->npieces - 1].owner == owner)
    return true;
  if (!array_grow (&c->pieces, c->npieces, &c->room, sizeof *c->pieces))
    return false;
  c->pieces[c->npieces++] = (struct cover_piece) { low, owner };
  return true;
}

/* Sweeps over the ends of the best ranges and the starts of all ranges. */
static bool
flatten (struct cover *c, struct heap *h)
{
  size_t next = 0;
  uint64_t at = 0;
  while (next < c->nranges || h->count > 0)
    {
      if (h->count == 0)
        at = c->ranges[next].low;
      while (next < c->nranges && c->ranges[next].low <= at)
        heap_put (h, &c->ranges[next++]);
      while (h->count > 0 && h->ranges[0]->high <= at)
        heap_drop (h);
      if (!add_piece (c, at, h->count > 0 ? h->ranges[0]->owner : COVER_NONE))
        return false;
      if (h->count > 0)
        at = next < c->nranges && c->ranges[next].low < h->ranges[0]->high ? c->ranges[next].low
                                                                           : h->ranges[0]->high;
    }
  return true;
}

bool
cover_finish (struct cover *c)
{
  struct heap heap = { .ranges = malloc ((c->nranges + 1) * sizeof *heap.ranges) };
  bool ok = heap.ranges
            && array_sort (c->ranges, c->nranges, sizeof *c->ranges, compare_ranges, NULL)
            && flatten (c, &heap);
  free (heap.ranges);
  free (c->ranges);
  c->ranges = NULL;
  c->nranges = c->room_ranges = 0;
  return ok;
}

void
cover_free (struct cover *c)
{
  free (c->ranges);
  free (c->pieces);
  memset (c, 0, sizeof *c);
}

/* The number of pieces that begin at ADDRESS or below. */
static size_t
count_to (const struct cover *c, uint64_t address)
{
  return ARRAY_BEFORE (i, c->npieces, c->pieces[i].low <= address);
}

uint32_t
cover_find (const struct cover *c, uint64_t address, uint64_t *end)
{
  size_t n = count_to (c, address);
  if (n < c->npieces && c->pieces[n].low < *end)
    *end = c->pieces[n].low;
  return n > 0 ? c->pieces[n - 1].owner : COVER_NONE;
}

uint32_t
cover_before (const struct cover *c, uint64_t address)
{
  size_t n = count_to (c, address);
  while (n > 0 && c->pieces[n - 1].owner == COVER_NONE)
    n--;
  return n > 0 ? c->pieces[n - 1].owner : COVER_NONE;
}
