/* SPDX-License-Identifier: MIT */
/* Executions of blocks: the totals of a module's counters, put beside the blocks of its map.  A block
   that has no counter of its own was executed as often as its function was entered: the sum of the arcs that lead there,
   whoever called.  Context: cold, lock held. */
#include <errno.h>

#include "internal.h"

static const struct bbp_map_range *
next_range (const struct bbp_map_range *range)
{
  return (const struct bbp_map_range *) ((const char *) (range + 1) + range->bytes);
}

/* Go through the map of MODULE, a struct bbp_map_range at a time. */
#define FOR_EACH_RANGE(range, module)                                                                        \
  for (const struct bbp_map_range *range = (const struct bbp_map_range *) (module)->map_start;               \
       (const char *) range < (module)->map_stop; range = next_range (range))

static size_t
count_blocks (const struct bbp_module *module)
{
  size_t n = 0;
  FOR_EACH_RANGE (range, module)
    n += range->nblocks & ~BBP_MAP_BY_CALLS;
  return n;
}

static const unsigned char *
read_leb128 (const unsigned char *p, uintptr_t *value)
{
  unsigned shift = 0;
  *value = 0;
  do
    *value |= (uintptr_t) (*p & 0x7f) << shift, shift += 7;
  while (*p++ & 0x80);
  return p;
}

/* Add the executions of one stretch of code to BLOCKS; TOTALS are those of the module, whose counters begin at START. */
static void
add_range (struct bbp_block_count *blocks, const struct bbp_map_range *range, const long *totals, const long *start)
{
  uint32_t n = range->nblocks & ~BBP_MAP_BY_CALLS;
  uintptr_t address = (uintptr_t) &range->text + (intptr_t) range->text, distance;
  const long *counter = (const long *) ((uintptr_t) &range->counts + (intptr_t) range->counts);
  const unsigned char *p = (const unsigned char *) (range + 1);
  for (uint32_t i = 0; i < n; i++)
    {
      if (i)
        {
          p = read_leb128 (p, &distance);
          address += distance;
        }
      blocks[i].address = address;
      blocks[i].by_calls = i == 0 && (range->nblocks & BBP_MAP_BY_CALLS);
      blocks[i].count += (uint64_t) totals[counter + i - start];
    }
}

/* Add what MODULE, in OBJECT, has counted to BLOCKS, all of its map, in the order of the map. */
static int
add_module (struct bbp_block_count *blocks, size_t n, const struct bbp_module *module, const struct bbp_object *object)
{
  long *totals = bbp_totals_make (module);
  if (!totals)
    return -ENOMEM;
  struct bbp_block_count *next = blocks;
  FOR_EACH_RANGE (range, module)
    {
      add_range (next, range, totals, module->counts_start);
      next += range->nblocks & ~BBP_MAP_BY_CALLS;
    }
  for (size_t i = 0; i < n; i++)
    blocks[i].address = bbp_object_virtual (object, blocks[i].address - module->moved);
  bbp_totals_free (totals, module);
  return 0;
}

/* The same object has the same map, so what it has counted earlier stands block by block beside what it counts now. */
void
bbp_blocks_retire (struct bbp_object *object)
{
  struct bbp_module *module = bbp_module_in (object);
  size_t n = module ? count_blocks (module) : 0;
  if (!n)
    return;
  if (!object->retired && (object->retired = bbp_pages_map (n * sizeof *object->retired)))
    object->nretired = n;
  if (object->nretired != n || add_module (object->retired, n, module, object))
    bbp.inexact = true;
}

static uint64_t
entries_of (const struct bbp_counts *entries, uintptr_t self)
{
  size_t low = 0, high = entries->n;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (entries->item[middle].self < self)
        low = middle + 1;
      else
        high = middle;
    }
  return low < entries->n && entries->item[low].self == self ? entries->item[low].count : 0;
}

/* Fill in what is known by the calls, and leave out what was not executed; returns how many of the N are left. */
static size_t
finish (struct bbp_block_count *blocks, size_t n, const struct bbp_counts *entries)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    {
      struct bbp_block_count block = blocks[i];
      if (block.by_calls)
        block.count = entries_of (entries, block.address);
      if (block.count)
        blocks[kept++] = block;
    }
  return kept;
}

static size_t
blocks_of (const struct bbp_object *object, const struct bbp_module *module)
{
  return module ? count_blocks (module) : object->nretired;
}

/* Append the blocks of OBJECT.  Behind the last ones there may be what was left out of those of others. */
static int
append_object (struct bbp_profile *profile, const struct bbp_object *object, const struct bbp_counts *entries)
{
  const struct bbp_module *module = bbp_module_in (object);
  struct bbp_block_count *blocks = profile->blocks + profile->nblocks;
  size_t n = blocks_of (object, module);
  for (size_t i = 0; i < n; i++)
    blocks[i] = i < object->nretired ? object->retired[i] : (struct bbp_block_count) { 0 };
  int error = module ? add_module (blocks, n, module, object) : 0;
  profile->nblocks += finish (blocks, n, entries);
  return error;
}

static bool
is_historic (const struct bb *unit)
{
  return !BBP_IS_EXTENDED (unit) && unit->addresses;
}

/* Append the executed blocks of units whose tables follow the historic layout: they count in place, and say where
   their blocks are. */
static void
append_historic (struct bbp_profile *profile)
{
  for (struct bb *unit = __bb_head; unit; unit = unit->next)
    for (long i = 0; is_historic (unit) && i < unit->ncounts; i++)
      {
        uint64_t count = __atomic_load_n (&unit->counts[i], __ATOMIC_RELAXED);
        const struct bbp_object *object = bbp_object_at (unit->addresses[i]);
        if (count && object)
          profile->blocks[profile->nblocks++]
            = (struct bbp_block_count) { .address = bbp_object_virtual (object, unit->addresses[i]), .count = count };
      }
}

int
bbp_blocks_merge (struct bbp_profile *profile, const struct bbp_counts *entries)
{
  size_t most = 0;
  for (struct bb *unit = __bb_head; unit; unit = unit->next)
    if (is_historic (unit))
      most += unit->ncounts;
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    most += blocks_of (object, bbp_module_in (object));
  if (most == 0)
    return 0;
  profile->blocks_bytes = most * sizeof *profile->blocks;
  profile->blocks = bbp_pages_map (profile->blocks_bytes);
  if (!profile->blocks)
    return -ENOMEM;
  append_historic (profile);
  int error = 0;
  for (const struct bbp_object *object = bbp_object_executable (); object && !error; object = object->next)
    error = append_object (profile, object, entries);
  return error;
}

int
bbp_blocks_reset (void)
{
  int error = 0;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    if (bbp_totals_reset (module))
      error = -ENOMEM;
  for (struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    {
      struct bbp_block_count *old = object->retired;
      __atomic_store_n (&object->retired, NULL, __ATOMIC_RELEASE); /* likewise */
      bbp_pages_unmap (old, object->nretired * sizeof *old);
      object->nretired = 0;
    }
  return error;
}
