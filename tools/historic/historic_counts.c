/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bb.out: executions of each block, unit by unit, the newest unit first. */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/historic/historic.h"
#include "tools/view/block_row.h"

/* The blocks of one unit, in the order of their numbers in the unit. */
struct rows {
  struct bbh_row *rows;
  size_t count, room;
};

static bool
add_row (struct rows *r, struct bbh_row row)
{
  if (!array_grow (&r->rows, r->count, &r->room, sizeof *r->rows))
    return false;
  r->rows[r->count++] = row;
  return true;
}

/* Describes a block of a unit without GCC 2.95's tables.  The caller frees its name. */
static bool
add_mapped_row (struct rows *r, const struct model *m, uint64_t address, uint64_t count)
{
  struct block block = { .start = address, .count = count };
  block.object = objects_find (&m->objects, address);
  block.symbol = symtab_find (&m->symtab, address);
  struct block_row described = { .block = &block };
  return block_row_describe (&described, m)
         && add_row (r, (struct bbh_row) { .address = address,
                                           .count = count,
                                           .line = described.line,
                                           .function = described.function,
                                           .file = described.file });
}

/* Of several blocks at one address all but the last are empty: they have no machine code. */
static bool
is_empty (const struct map *map, size_t i)
{
  return i + 1 < map->count && map->blocks[i + 1].function == map->blocks[i].function
         && map->blocks[i + 1].start == map->blocks[i].start;
}

/* A unit with a map: the blocks of functions with counters in the unit. */
static bool
add_mapped (struct rows *r, const struct historic *h, const struct bbx_run_unit *unit)
{
  const struct map *map = &h->blocks->map;
  bool ok = true;
  for (size_t i = 0; i < map->count && ok; i++)
    if (map->blocks[i].function_counters - unit->counters < unit->ncounters * sizeof (uint64_t)
        && !is_empty (map, i))
      {
        const struct block *block = blocks_at (h->blocks, map->blocks[i].start);
        ok = add_mapped_row (r, h->model, map->blocks[i].start, block->count);
      }
  return ok;
}

/* A unit with GCC 2.95's tables: what these say and nothing else, as the program itself writes
   it (historic=1).  NEXT: the sidecar's next description, in order of units and blocks. */
static bool
add_unit (struct rows *r, const struct historic *h, const struct bbx_run_unit *unit,
          const struct bbx_run_block **next)
{
  bool ok = true;
  for (size_t i = 0; i < unit->nblocks && ok; i++)
    {
      struct bbh_row row = { .address = unit->blocks[i].address, .count = unit->blocks[i].count };
      if (row.address && *next < h->sidecar->blocks + h->sidecar->nblocks
          && (*next)->address == row.address)
        {
          const struct bbx_run_block *said = (*next)++;
          row.function = *said->function ? said->function : NULL;
          row.file = *said->file ? said->file : NULL;
          row.line = said->line;
        }
      ok = add_row (r, row);
    }
  return ok && (unit->nblocks || add_mapped (r, h, unit));
}

/* A unit in which nothing ran was not in the old files, because it was never registered. */
static bool
has_run (const struct bbx_run_unit *unit, const struct rows *r)
{
  for (size_t i = 0; i < r->count; i++)
    if (r->rows[i].count)
      return true;
  return unit->nblocks > 0;
}

static void
free_rows (struct rows *r, bool with_names)
{
  for (size_t i = 0; with_names && i < r->count; i++)
    free ((char *) r->rows[i].function);
  free (r->rows);
}

bool
historic_write_counts (const struct bbh_receiver *to, const struct historic *h, struct error *err)
{
  bool ok = true;
  const struct bbx_run_block *next = h->sidecar->blocks;
  bbh_counts (to, h->finished);
  for (size_t i = 0; i < h->sidecar->nunits && ok; i++)
    {
      const struct bbx_run_unit *unit = &h->sidecar->units[i];
      struct rows r = { 0 };
      ok = add_unit (&r, h, unit, &next);
      if (ok && has_run (unit, &r))
        bbh_unit (to, unit->name, r.rows, r.count);
      free_rows (&r, !unit->nblocks);
    }
  bbh_counts_end (to);
  return ok || error_no_memory (err);
}
