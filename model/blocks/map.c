/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records are in the byte order of the program, which is the host's; the plugin supports no
   other. */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/blocks/map.h"

/* The section of one object. */
struct section {
  const struct object *object;
  const char *program; /* for messages */
  unsigned char *bytes;
  size_t size;
  uint64_t address; /* of the first byte, in the model */
};

static bool
damaged (const struct section *s, size_t offset, const char *text, struct error *err)
{
  bool own = object_is_executable (s->object);
  return error_set (err, s->program, ERROR_NO_OFFSET,
                    "%s%sdamaged section " BBP_SECTION_MAP ", byte %zu: %s",
                    own ? "" : object_name (s->object), own ? "" : ": ", offset, text);
}

/* The unread rest behind a record: unsigned LEB128.  GOOD: it has not been too short so far.  WIDE:
   BBP_FUNCTION_WIDE. */
struct numbers {
  const unsigned char *next, *end;
  bool good, wide;
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

static uint64_t
take_distance (struct numbers *n)
{
  uint32_t value;
  if (!n->wide)
    return take (n);
  n->good = n->good && (size_t) (n->end - n->next) >= sizeof value;
  if (!n->good)
    return 0;
  memcpy (&value, n->next, sizeof value);
  n->next += sizeof value;
  return value;
}

/* Reads the next NCALLS calls of BLOCK.  False: out of memory. */
static bool
take_calls (struct numbers *n, struct map *m, uint64_t ncalls, struct map_block *block)
{
  uint64_t point = block->start;
  block->first_call = m->ncalls;
  for (; ncalls > 0 && n->good; ncalls--)
    {
      point += take_distance (n);
      unsigned kind = (unsigned) take (n);
      block->counters += (kind & BBP_CALL_COUNTED) != 0;
      block->hooks += block->arcs && !(kind & BBP_CALL_DIRECT);
      if (!array_grow (&m->calls, m->ncalls, &m->room_calls, sizeof *m->calls))
        return false;
      m->calls[m->ncalls++] = (struct map_call) { .point = point, .kind = kind };
    }
  block->ncalls = m->ncalls - block->first_call;
  return true;
}

/* Reads the successors of BLOCK.  Its function has NBLOCKS blocks.  False: out of memory. */
static bool
take_ways (struct numbers *n, struct map *m, uint64_t nblocks, struct map_block *block)
{
  block->first_way = m->nways;
  for (uint64_t left = take (n); left > 0 && n->good; left--)
    {
      uint64_t target = take (n);
      n->good &= target / 2 < nblocks;
      if (!array_grow (&m->ways, m->nways, &m->room_ways, sizeof *m->ways))
        return false;
      m->ways[m->nways++] = (struct map_way) { .to = block->function + (size_t) (target / 2),
                                               .counted = target % 2 != 0 };
    }
  block->nways = m->nways - block->first_way;
  return true;
}

/* Reads the blocks of FUNCTION from NUMBERS.  Its record is at the address RECORD.  False: out of
   memory. */
static bool
read_blocks (struct map *m, const struct bbp_map_function *function, uint64_t record,
             struct numbers *n)
{
  uint64_t entry = record + (uint64_t) (int64_t) function->text, start = entry;
  uint64_t cold_start
      = record + offsetof (struct bbp_map_function, cold) + (uint64_t) (int64_t) function->cold;
  uint64_t counters
      = record + offsetof (struct bbp_map_function, counts) + (uint64_t) (int64_t) function->counts;
  uint64_t nblocks = take (n), cold = take (n), flags = take (n);
  size_t first = m->count;
  n->wide = flags & BBP_FUNCTION_WIDE;
  if (nblocks == 0)
    n->good = false;
  if (m->bare != ((flags & BBP_FUNCTION_BARE) != 0))
    return true;
  m->found = true;
  for (uint64_t left = nblocks; left > 0 && n->good; left--)
    {
      if (left == cold)
        start = cold_start;
      start += take_distance (n);
      uint64_t shape = take (n);
      struct map_block block = { .start = start,
                                 .entry = entry,
                                 .counters = (shape & BBP_BLOCK_COUNTED) != 0,
                                 .function_counters = counters,
                                 .function = first,
                                 .shape = (unsigned) (shape % BBP_BLOCK_CALLS),
                                 .traced = (flags & BBP_FUNCTION_TRACED) != 0,
                                 .arcs = (flags & BBP_FUNCTION_ARCS) != 0 };
      if (!take_calls (n, m, shape / BBP_BLOCK_CALLS, &block) || !take_ways (n, m, nblocks, &block)
          || !array_grow (&m->blocks, m->count, &m->room, sizeof *m->blocks))
        return false;
      m->blocks[m->count++] = block;
    }
  return true;
}

/* Adds the blocks of the record at OFFSET, and moves OFFSET behind it. */
static bool
read_function (struct map *m, const struct section *s, size_t *offset, struct error *err)
{
  struct bbp_map_function function;
  size_t at = *offset;
  if (s->size - at < sizeof function)
    return damaged (s, at, "a record is cut short", err);
  memcpy (&function, s->bytes + at, sizeof function);
  if (function.bytes > s->size - at - sizeof function)
    return damaged (s, at, "a record claims more than there is", err);
  *offset = at + sizeof function + function.bytes;
  struct numbers n = { s->bytes + at + sizeof function, s->bytes + *offset, true, false };
  if (!read_blocks (m, &function, s->address + at, &n))
    return error_no_memory (err);
  return n.good
         || damaged (s, (size_t) (n.next - s->bytes), "it is not what the record claims", err);
}

static bool
read_section (struct map *m, struct section *s, struct error *err)
{
  const struct image *im = &s->object->image;
  size_t offset = 0;
  bool ok = true;
  if (!im->bfd)
    return true;
  s->bytes = image_section (im, BBP_SECTION_MAP, &s->address, &s->size);
  s->address += s->object->base;
  while (ok && offset < s->size)
    ok = read_function (m, s, &offset, err);
  free (s->bytes);
  return ok;
}

static bool
read_all (struct map *m, const struct objects *all, struct error *err)
{
  bool ok = true;
  for (size_t i = 0; ok && i < all->count; i++)
    if (all->all[i].has_data)
      {
        struct section s = { .object = &all->all[i], .program = all->all[0].image.path };
        ok = read_section (m, &s, err);
      }
  return ok;
}

bool
map_read (struct map *m, const struct objects *all, struct error *err)
{
  *m = (struct map) { 0 };
  return read_all (m, all, err);
}

bool
map_read_bare (struct map *m, const struct objects *all, struct error *err)
{
  *m = (struct map) { .bare = true };
  return read_all (m, all, err);
}

void
map_free (struct map *m)
{
  free (m->blocks);
  free (m->calls);
  free (m->ways);
  memset (m, 0, sizeof *m);
}
