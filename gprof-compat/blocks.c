/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "blocks.h"
#include "runtime/bbprof-abi.h"
#include "samples.h"

struct starts {
  uint64_t *start;
  size_t count, room;
};

static bool
add_start (struct starts *s, uint64_t start)
{
  if (!array_grow (&s->start, s->count, &s->room, sizeof *s->start))
    return false;
  s->start[s->count++] = start;
  return true;
}

static int
compare_starts (const void *a, const void *b, void *context)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  (void) context;
  return x < y ? -1 : x > y;
}

/* The block map.  Its records are in the byte order of the program, which is the host's: the plugin has no other. */

struct map {
  const struct object *object;
  const char *program; /* for messages */
  unsigned char *bytes;
  size_t size;
  uint64_t address; /* of the first byte, in the model */
};

static bool
damaged_map (const struct map *m, size_t offset, const char *text, struct error *err)
{
  bool own = object_is_executable (m->object);
  return error_set (err, m->program, ERROR_NO_OFFSET, "%s%sdamaged section " BBP_SECTION_MAP ", byte %zu: %s",
                    own ? "" : object_name (m->object), own ? "" : ": ", offset, text);
}

/* What is still to be read behind a record: unsigned LEB128.  GOOD until there is too little. */
struct numbers {
  const unsigned char *next, *end;
  bool good;
};

static uint64_t
take (struct numbers *n)
{
  uint64_t value = 0;
  for (unsigned shift = 0; n->next < n->end && shift < 63; shift += 7)
    {
      unsigned char byte = *n->next++;
      value |= (uint64_t) (byte & 127) << shift;
      if (byte < 128)
        return value;
    }
  n->good = false;
  return 0;
}

/* What the record says of a block besides its place: calls, of two numbers each, and successors. */
static void
skip_shape (struct numbers *n)
{
  for (uint64_t left = take (n) / BBP_BLOCK_CALLS; left > 0 && n->good; left--)
    {
      take (n);
      take (n);
    }
  for (uint64_t left = take (n); left > 0 && n->good; left--)
    take (n);
}

/* Adds the blocks of one record at OFFSET; moves OFFSET behind it. */
static bool
read_function (struct starts *s, const struct map *m, size_t *offset, struct error *err)
{
  struct bbp_map_function function;
  size_t at = *offset;
  if (m->size - at < sizeof function)
    return damaged_map (m, at, "a record is cut short", err);
  memcpy (&function, m->bytes + at, sizeof function);
  if (function.bytes > m->size - at - sizeof function)
    return damaged_map (m, at, "a record claims more than there is", err);
  *offset = at + sizeof function + function.bytes;

  uint64_t record = m->address + at, start = record + (uint64_t) (int64_t) function.text;
  uint64_t cold_start = record + offsetof (struct bbp_map_function, cold) + (uint64_t) (int64_t) function.cold;
  struct numbers n = { m->bytes + at + sizeof function, m->bytes + *offset, true };
  uint64_t left = take (&n), cold = take (&n);
  take (&n); /* flags */
  if (left == 0)
    n.good = false;
  for (; left > 0 && n.good; left--)
    {
      if (left == cold)
        start = cold_start;
      start += take (&n);
      skip_shape (&n);
      if (n.good && !add_start (s, start))
        return error_no_memory (err);
    }
  return n.good || damaged_map (m, (size_t) (n.next - m->bytes), "fewer blocks than the record claims", err);
}

static bool
read_map (struct starts *s, struct map *m, bool *has_map, struct error *err)
{
  const struct image *im = &m->object->image;
  size_t offset = 0;
  bool ok = true;
  if (!im->bfd)
    return true;
  m->bytes = image_section (im, BBP_SECTION_MAP, &m->address, &m->size);
  m->address += m->object->base;
  *has_map |= m->bytes != NULL;
  while (ok && offset < m->size)
    ok = read_function (s, m, &offset, err);
  free (m->bytes);
  return ok;
}

static bool
read_maps (struct starts *s, const struct objects *all, bool *has_map, struct error *err)
{
  bool ok = true;
  for (size_t i = 0; ok && i < all->count; i++)
    if (all->all[i].has_data)
      {
        struct map m = { .object = &all->all[i], .program = all->all[0].image.path };
        ok = read_map (s, &m, has_map, err);
      }
  return ok;
}

/* Sorted, each once. */
static bool
tidy (struct starts *s)
{
  if (s->count == 0)
    return true;
  if (!array_sort (s->start, s->count, sizeof *s->start, compare_starts, NULL))
    return false;
  size_t n = 0;
  for (size_t i = 1; i < s->count; i++)
    if (s->start[i] != s->start[n])
      s->start[++n] = s->start[i];
  s->count = n + 1;
  return true;
}

/* Where the function around ADDRESS ends: the last one of an object, where the object's code does. */
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
fill_blocks (struct blocks *b, const struct starts *s, const struct objects *all, const struct symtab *t,
             const struct profile *p)
{
  size_t e = 0;
  for (size_t i = 0; i < s->count; i++)
    {
      struct block *block = &b->blocks[b->count++];
      uint64_t start = s->start[i];
      const struct object *o = objects_find (all, start);
      const struct symbol *symbol = o ? symtab_find (t, start) : NULL;
      uint64_t end = function_end (o, symbol, start);
      if (i + 1 < s->count && s->start[i + 1] < end)
        end = s->start[i + 1];
      while (e < p->nexecutions && p->executions[e].address < start)
        e++;
      uint64_t count = e < p->nexecutions && p->executions[e].address == start ? p->executions[e].count : 0;
      *block = (struct block) { .start = start, .end = end, .count = count, .symbol = symbol, .object = o };
      b->executed += count != 0;
      b->total_executions += count;
    }
}

/* Samples.  The space between blocks is a stretch of its own.  */

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
      /* The last entry is the end of the stretch before. */
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
blocks_build (struct blocks *b, const struct objects *all, const struct symtab *t, const struct profile *p,
              struct error *err)
{
  struct starts s = { 0 };
  memset (b, 0, sizeof *b);
  bool ok = read_maps (&s, all, &b->has_map, err);
  for (size_t i = 0; ok && i < p->nexecutions; i++)
    ok = add_start (&s, p->executions[i].address) || error_no_memory (err);
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
  free (b->blocks);
  memset (b, 0, sizeof *b);
}
