/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/blocks/blocks.h"
#include "model/symbols/samples.h"

struct start {
  uint64_t address;
  const struct map_block *map; /* or null */
};

struct starts {
  struct start *start;
  size_t count, room;
};

static bool
add_start (struct starts *s, uint64_t address, const struct map_block *map)
{
  if (!array_grow (&s->start, s->count, &s->room, sizeof *s->start))
    return false;
  s->start[s->count++] = (struct start) { address, map };
  return true;
}

/* Adds the starts in the map, then those in the profile. */
static bool
add_starts (struct starts *s, const struct map *map, const struct profile *p)
{
  bool ok = true;
  for (size_t i = 0; ok && i < map->count; i++)
    ok = add_start (s, map->blocks[i].start, &map->blocks[i]);
  for (size_t i = 0; ok && i < p->nexecutions; i++)
    ok = add_start (s, p->executions[i].address, NULL);
  return ok;
}

static int
compare_starts (const void *a, const void *b, void *context)
{
  uint64_t x = ((const struct start *) a)->address, y = ((const struct start *) b)->address;
  (void) context;
  return x < y ? -1 : x > y;
}

/* Sorts the starts and removes duplicates.  Of blocks at the same address all but the last are
   empty, and have no counters. */
static bool
tidy (struct starts *s)
{
  if (s->count == 0)
    return true;
  if (!array_sort (s->start, s->count, sizeof *s->start, compare_starts, NULL))
    return false;
  size_t n = 0;
  for (size_t i = 1; i < s->count; i++)
    if (s->start[i].address != s->start[n].address)
      s->start[++n] = s->start[i];
    else if (s->start[i].map)
      s->start[n].map = s->start[i].map;
  s->count = n + 1;
  return true;
}

/* The end of the function around ADDRESS: of an object's last function, the end of the object's
   code. */
static uint64_t
function_end (const struct object *o, const struct symbol *symbol, uint64_t address)
{
  uint64_t end = address + 1;
  if (o)
    {
      uint64_t code_end = o->base + (o->image.bfd ? o->image.code_high : o->text_end);
      bool last = !symbol || symbol[1].object != o;
      end = last ? code_end : symbol->end + 1;
    }
  return end > address ? end : address + 1;
}

static void
fill_blocks (struct blocks *b, const struct starts *s, const struct objects *all,
             const struct symtab *t, const struct profile *p)
{
  size_t e = 0;
  for (size_t i = 0; i < s->count; i++)
    {
      struct block *block = &b->blocks[b->count++];
      uint64_t start = s->start[i].address;
      const struct object *o = objects_find (all, start);
      const struct symbol *symbol = o ? symtab_find (t, start) : NULL;
      uint64_t end = function_end (o, symbol, start);
      if (i + 1 < s->count && s->start[i + 1].address < end)
        end = s->start[i + 1].address;
      while (e < p->nexecutions && p->executions[e].address < start)
        e++;
      uint64_t count
          = e < p->nexecutions && p->executions[e].address == start ? p->executions[e].count : 0;
      *block = (struct block) { .start = start,
                                .end = end,
                                .count = count,
                                .symbol = symbol,
                                .object = o,
                                .map = s->start[i].map };
      b->executed += count != 0;
      b->total_executions += count;
    }
}

/* Samples.  The space between blocks is a stretch of its own. */

struct stretch {
  uint64_t start;
  size_t block; /* SIZE_MAX: not in a block */
};

static uint64_t
stretch_start (const void *of, size_t i)
{
  const struct stretch *stretches = of;
  return stretches[i].start / 2;
}

static bool
fill_samples (struct blocks *b, const struct profile *p)
{
  struct stretch *stretches = malloc ((2 * b->count + 1) * sizeof *stretches);
  double *samples = calloc (2 * b->count + 1, sizeof *samples);
  size_t n = 0;
  bool ok = stretches && samples;
  for (size_t i = 0; ok && i < b->count; i++)
    {
      stretches[n++] = (struct stretch) { .start = b->blocks[i].start, .block = i };
      if (i + 1 == b->count || b->blocks[i].end != b->blocks[i + 1].start)
        stretches[n++] = (struct stretch) { .start = b->blocks[i].end, .block = SIZE_MAX };
    }
  if (ok)
    {
      /* The last entry is the end of the stretch before it. */
      struct stretches all = { .count = n ? n - 1 : 0, .start = stretch_start, .of = stretches };
      b->total_samples = samples_assign (p, &all, NULL, samples);
      for (size_t i = 0; i < n; i++)
        if (stretches[i].block != SIZE_MAX)
          b->blocks[stretches[i].block].samples = samples[i];
    }
  free (samples);
  free (stretches);
  return ok;
}

bool
blocks_build (struct blocks *b, const struct objects *all, const struct symtab *t,
              const struct profile *p, struct error *err)
{
  struct starts s = { 0 };
  memset (b, 0, sizeof *b);
  bool ok = map_read (&b->map, all, err) && (add_starts (&s, &b->map, p) || error_no_memory (err));
  if (ok)
    {
      b->blocks = malloc ((s.count + 1) * sizeof *b->blocks);
      ok = (b->blocks && tidy (&s)) || error_no_memory (err);
    }
  if (ok)
    {
      fill_blocks (b, &s, all, t, p);
      ok = fill_samples (b, p) || error_no_memory (err);
    }
  free (s.start);
  return ok;
}

void
blocks_free (struct blocks *b)
{
  map_free (&b->map);
  free (b->blocks);
  memset (b, 0, sizeof *b);
}

size_t
blocks_before (const struct blocks *b, uint64_t address)
{
  return ARRAY_BEFORE (i, b->count, b->blocks[i].start < address);
}

const struct block *
blocks_at (const struct blocks *b, uint64_t address)
{
  size_t i = blocks_before (b, address);
  return i < b->count && b->blocks[i].start == address ? &b->blocks[i] : NULL;
}
