/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves all that a profile has to another build of its program: gmon.out. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/builds/join_sidecar.h"

bool
joining_find (struct joining *g, uint64_t address, bool is_return, struct join_place *place)
{
  const uint64_t probe = address - is_return;
  *place = (struct join_place) { JOIN_ELSEWHERE, address };
  if (probe < g->start || probe >= g->end)
    return true;
  if (!join_find (g->join, address, probe, place, g->err))
    return false;
  if (place->kind == JOIN_ALONE)
    {
      place->address += g->alone;
      g->has_alone = true;
    }
  return true;
}

/* Samples. */

/* A bin of the histogram OF of the sum; null: of the whole code of its build. */
struct moved_bin {
  const struct histogram *of;
  struct bin bin;
};

struct moved_bins {
  struct moved_bin *list;
  size_t count, room;
};

static uint64_t
bin_address (const struct histogram *h, uint64_t index)
{
  return h->low + (uint64_t) ((unsigned __int128) (h->high - h->low) * index / h->nbins);
}

/* The bin of H at ADDRESS, or else the next one: the one before may be of another function. */
static uint32_t
bin_at (const struct histogram *h, uint64_t address)
{
  uint64_t index
      = (uint64_t) ((unsigned __int128) (address - h->low) * h->nbins / (h->high - h->low));
  index += bin_address (h, index) < address && index + 1 < h->nbins;
  return (uint32_t) index;
}

static const struct histogram *
find_histogram (const struct profile *p, uint64_t address)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    if (p->histograms[i].low <= address && address < p->histograms[i].high)
      return &p->histograms[i];
  return NULL;
}

static int
compare_bins (const void *a, const void *b, void *context)
{
  const struct moved_bin *x = a, *y = b;
  (void) context;
  if (x->of != y->of)
    return x->of < y->of ? -1 : 1;
  return x->bin.index < y->bin.index ? -1 : x->bin.index > y->bin.index;
}

/* A histogram with bins as in H. */
static bool
add_histogram (struct joining *g, const struct histogram *h, struct bin *bins, size_t n)
{
  const struct profile *old = &g->one->profile;
  struct histogram_record record = {
    .low = h->low, .high = h->high, .nbins = h->nbins, .rate = old->rate, .letter = old->letter
  };
  memcpy (record.dimension, old->dimension, sizeof record.dimension);
  return profile_add_histogram (&g->new, &record, bins, n, g->err);
}

/* Adds the bins from FIRST on that are of one histogram; *NEXT: the first one of another. */
static bool
add_group (struct joining *g, const struct moved_bins *bins, const struct histogram *whole,
           size_t first, size_t *next)
{
  struct bin *list = malloc ((bins->count - first) * sizeof *list);
  size_t n = 0, i = first;
  if (!list)
    return error_no_memory (g->err);
  for (; i < bins->count && bins->list[i].of == bins->list[first].of; i++)
    if (n > 0 && list[n - 1].index == bins->list[i].bin.index)
      list[n - 1].count += bins->list[i].bin.count;
    else
      list[n++] = bins->list[i].bin;
  *next = i;
  return add_histogram (g, bins->list[first].of ? bins->list[first].of : whole, list, n);
}

/* Moves the bins of H, which is of the program. */
static bool
move_bins (struct joining *g, const struct histogram *h, const struct histogram *whole,
           struct moved_bins *bins, struct bin *alone, size_t *nalone)
{
  for (size_t i = 0; i < h->nfilled; i++)
    {
      struct join_place place;
      const struct bin *bin = &h->bins[i];
      if (!joining_find (g, bin_address (h, bin->index), false, &place))
        return false;
      if (place.kind == JOIN_ALONE || place.kind == JOIN_ELSEWHERE)
        {
          alone[(*nalone)++] = *bin;
          continue;
        }
      const struct histogram *of = find_histogram (g->sum, place.address);
      if (!array_grow (&bins->list, bins->count, &bins->room, sizeof *bins->list))
        return error_no_memory (g->err);
      bins->list[bins->count++]
          = (struct moved_bin) { of, { bin_at (of ? of : whole, place.address), bin->count } };
    }
  return array_sort (bins->list, bins->count, sizeof *bins->list, compare_bins, NULL)
         || error_no_memory (g->err);
}

/* The whole code of the sum's build, in bins as large as those of H. */
static struct histogram
whole_code (const struct joining *g, const struct histogram *h)
{
  const struct image *image = &g->join->base->model.objects.all[0].image;
  const unsigned __int128 bytes = image->code_high - image->code_low;
  const uint64_t nbins = (uint64_t) (bytes * h->nbins / (h->high - h->low));
  return (struct histogram) { .low = image->code_low,
                              .high = image->code_high,
                              .nbins = nbins > 0 ? (uint32_t) nbins : 1 };
}

static bool
move_histogram (struct joining *g, const struct histogram *h)
{
  const struct histogram whole = whole_code (g, h);
  struct histogram moved = *h;
  struct moved_bins bins = { .count = 0 };
  struct bin *alone = malloc ((h->nfilled + 1) * sizeof *alone);
  size_t nalone = 0;
  bool ok = alone || error_no_memory (g->err);
  ok = ok && move_bins (g, h, &whole, &bins, alone, &nalone);
  for (size_t i = 0; ok && i < bins.count;)
    ok = add_group (g, &bins, &whole, i, &i);
  free (bins.list);
  moved.low += g->alone;
  moved.high += g->alone;
  if (ok && nalone > 0)
    return add_histogram (g, &moved, alone, nalone);
  free (alone);
  return ok;
}

static bool
move_samples (struct joining *g)
{
  struct profile *old = &g->one->profile;
  for (size_t i = 0; i < old->nhistograms; i++)
    {
      struct histogram *h = &old->histograms[i];
      struct bin *bins = h->bins;
      if (h->low < g->end && h->high > g->start)
        {
          if (!move_histogram (g, h))
            return false;
          continue;
        }
      h->bins = NULL;
      if (!add_histogram (g, h, bins, h->nfilled))
        return false;
    }
  return true;
}

/* Calls and executions. */

static bool
move_calls (struct joining *g)
{
  const struct profile *old = &g->one->profile;
  for (size_t i = 0; i < old->ncalls; i++)
    {
      const struct call *c = &old->calls[i];
      struct join_place from, self;
      if (!joining_find (g, c->from, old->exact_callers, &from)
          || !joining_find (g, c->self, false, &self))
        return false;
      if (!profile_add_call (&g->new, from.address, self.address, c->count))
        return error_no_memory (g->err);
    }
  return true;
}

static bool
move_executions (struct joining *g)
{
  const struct profile *old = &g->one->profile;
  for (size_t i = 0; i < old->nexecutions; i++)
    {
      const struct execution *e = &old->executions[i];
      struct join_place place;
      if (!joining_find (g, e->address, false, &place))
        return false;
      const bool ok = place.kind == JOIN_START
                          ? join_leave_out (g->join, e->address)
                          : profile_add_execution (&g->new, place.address, e->count);
      if (!ok)
        return error_no_memory (g->err);
      g->left_out += place.kind == JOIN_START ? e->count : 0;
    }
  return true;
}

/* Addresses behind all objects of X. */
static uint64_t
free_place (const struct bbx *x)
{
  uint64_t top = 0;
  for (size_t i = 0; i < x->nobjects; i++)
    if (x->objects[i].fixed.base + x->objects[i].fixed.end > top)
      top = x->objects[i].fixed.base + x->objects[i].fixed.end;
  return (top + BBX_BASE_UNIT - 1) / BBX_BASE_UNIT * BBX_BASE_UNIT;
}

bool
join_profile (struct join *j, const struct bbx_run_object *executable, const struct profile *sum,
              struct merge_one *one, struct error *err)
{
  const struct bbx_object *object = &one->sidecar.objects[0].fixed;
  struct profile *old = &one->profile;
  struct joining g = { .join = j,
                       .one = one,
                       .sum = sum,
                       .start = object->start,
                       .end = object->end,
                       .alone = free_place (&one->sidecar),
                       .err = err };
  bool ok = move_samples (&g) && move_calls (&g) && move_executions (&g);
  g.new.has_calls = old->has_calls;
  g.new.has_executions = old->has_executions;
  g.new.exact_callers = old->exact_callers;
  profile_free (old);
  *old = g.new;
  return ok && (profile_finish (old) || error_no_memory (err)) && joining_sidecar (&g, executable);
}
