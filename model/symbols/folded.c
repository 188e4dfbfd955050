/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/folded.h"
#include "model/symbols/samples.h"

/* All code from here to the next range belongs to one symbol. */
struct range {
  uint64_t start;
  bool is_folded; /* GNU gprof has no symbol here */
  bool ran;
};

struct ranges {
  struct range *list; /* by start, each once */
  size_t count;
  uint64_t end; /* of the last one; 0: as in gprof, none */
};

/* Ranges of gprof's symbols come before folded ones at the same address. */
static int
compare_ranges (const void *a, const void *b, void *context)
{
  const struct range *x = a, *y = b;
  (void) context;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->is_folded - y->is_folded;
}

static bool
find_ranges (struct ranges *p, const struct symtab *t)
{
  p->list = malloc (t->count * sizeof *p->list);
  if (!p->list)
    return false;
  const struct symbol *last = &t->symbols[0];
  for (size_t i = 0; i < t->count; i++)
    {
      const struct symbol *s = &t->symbols[i];
      p->list[i] = (struct range) { .start = s->address, .is_folded = s->is_folded };
      if (s->address > last->address || (s->address == last->address && !s->is_folded))
        last = s;
    }
  if (!array_sort (p->list, t->count, sizeof *p->list, compare_ranges, NULL))
    return false;
  p->count = 1;
  for (size_t i = 1; i < t->count; i++)
    if (p->list[i].start != p->list[p->count - 1].start)
      p->list[p->count++] = p->list[i];
  p->end = last->is_folded ? last->object->base + last->object->text_end : 0;
  return true;
}

/* The range around ADDRESS, or null. */
static struct range *
find (const struct ranges *p, uint64_t address)
{
  size_t before = ARRAY_BEFORE (i, p->count, p->list[i].start <= address);
  return before > 0 ? &p->list[before - 1] : NULL;
}

static void
mark (const struct ranges *p, uint64_t address)
{
  struct range *range = find (p, address);
  if (range)
    range->ran = true;
}

static uint64_t
range_start (const void *of, size_t i)
{
  const struct ranges *p = of;
  return (i < p->count ? p->list[i].start : p->end) / 2;
}

static bool
mark_sampled (const struct ranges *p, const struct profile *profile)
{
  double *samples = calloc (p->count + 1, sizeof *samples);
  if (!samples)
    return false;
  struct stretches stretches = { .count = p->count, .start = range_start, .of = p };
  samples_assign (profile, &stretches, NULL, samples);
  for (size_t i = 0; i < p->count; i++)
    p->list[i].ran |= samples[i] > 0;
  free (samples);
  return true;
}

/* A return address may be the beginning of the next function; the call is before it (see
   calling_one in attribute.c). */
static void
mark_counted (const struct ranges *p, const struct profile *profile)
{
  for (size_t i = 0; i < profile->ncalls; i++)
    {
      const struct call *c = &profile->calls[i];
      if (c->count == 0)
        continue;
      if (c->from > 0)
        mark (p, c->from - profile->exact_callers);
      mark (p, c->self);
    }
  for (size_t i = 0; i < profile->nexecutions; i++)
    if (profile->executions[i].count > 0)
      mark (p, profile->executions[i].address);
}

/* Other names of a range of gprof's symbols are removed, too. */
static bool
ran (const struct ranges *p, const struct symbol *s)
{
  const struct range *range = find (p, s->address);
  return range->is_folded && range->ran;
}

/* GNU's symbols in their order, then those that ran. */
static bool
put_behind (struct symtab *t, const struct ranges *p, size_t nfolded)
{
  struct symbol *folded = malloc (nfolded * sizeof *folded);
  if (!folded)
    return false;
  size_t n = 0, nran = 0;
  for (size_t i = 0; i < t->count; i++)
    if (!t->symbols[i].is_folded)
      t->symbols[n++] = t->symbols[i];
    else if (ran (p, &t->symbols[i]))
      folded[nran++] = t->symbols[i];
  memcpy (t->symbols + n, folded, nran * sizeof *folded);
  t->count = n + nran;
  free (folded);
  return true;
}

bool
folded_choose (struct symtab *t, const struct profile *profile)
{
  struct ranges ranges = { .count = 0 };
  size_t nfolded = 0;
  for (size_t i = 0; i < t->count; i++)
    nfolded += t->symbols[i].is_folded;
  if (nfolded == 0)
    return true;
  bool ok = find_ranges (&ranges, t) && mark_sampled (&ranges, profile);
  if (ok)
    {
      mark_counted (&ranges, profile);
      ok = put_behind (t, &ranges, nfolded);
    }
  free (ranges.list);
  return ok;
}
