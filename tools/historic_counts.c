/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bb.out: how often each block ran, unit by unit, the newest first. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "block_row.h"
#include "historic.h"

/* The blocks of one unit, in the order of its numbers.  A row's struct block is made up: nobody else knows those that never ran. */
struct row {
  struct block block;
  char *function; /* or null, like the file */
  const char *file;
  unsigned line;
};

struct rows {
  struct row *rows;
  size_t count, room;
};

int
historic_digits (uint64_t value, unsigned base)
{
  int digits = 1;
  while (value /= base)
    digits++;
  return digits;
}

static bool
add_row (struct rows *r, const struct model *m, uint64_t address, uint64_t count)
{
  if (!array_grow (&r->rows, r->count, &r->room, sizeof *r->rows))
    return false;
  struct row *row = &r->rows[r->count++];
  *row = (struct row) { .block = { .start = address, .count = count } };
  if (!address)
    return true;
  row->block.object = objects_find (&m->objects, address);
  row->block.symbol = symtab_find (&m->symtab, address);
  struct block_row described = { .block = &row->block };
  bool ok = block_row_describe (&described, m);
  row->function = described.function;
  row->file = described.file;
  const struct bbx_run_block *said = block_names_find (&m->block_names, address);
  row->line = described.file || !said ? described.line : (unsigned) said->line; /* a table may have lines and no files */
  return ok;
}

/* Of blocks at the same address all but the last are empty, and no blocks of machine code. */
static bool
is_empty (const struct map *map, size_t i)
{
  return i + 1 < map->count && map->blocks[i + 1].function == map->blocks[i].function
         && map->blocks[i + 1].start == map->blocks[i].start;
}

/* A unit with a map: the blocks of the functions whose counters are its own. */
static bool
add_mapped (struct rows *r, const struct historic *h, const struct bbx_run_unit *unit)
{
  const struct map *map = &h->blocks->map;
  bool ok = true;
  for (size_t i = 0; i < map->count && ok; i++)
    if (map->blocks[i].function_counters - unit->counters < unit->ncounters * sizeof (uint64_t) && !is_empty (map, i))
      {
        const struct block *block = blocks_at (h->blocks, map->blocks[i].start);
        ok = add_row (r, h->model, map->blocks[i].start, block->count);
      }
  return ok;
}

static bool
add_unit (struct rows *r, const struct historic *h, const struct bbx_run_unit *unit)
{
  bool ok = true;
  for (size_t i = 0; i < unit->nblocks && ok; i++)
    ok = add_row (r, h->model, unit->blocks[i].address, unit->blocks[i].count);
  return ok && (unit->nblocks || add_mapped (r, h, unit));
}

/* The widest of each column; 0: nobody knows any. */
struct widths {
  int number, count, address, function, line, file;
};

static void
widen (int *width, int to)
{
  if (*width < to)
    *width = to;
}

static const char *
shown (const char *name)
{
  return name ? name : "<none>";
}

static struct widths
measure (const struct rows *r)
{
  struct widths w = { .number = historic_digits (r->count, 10) };
  for (const struct row *row = r->rows; row < r->rows + r->count; row++)
    {
      widen (&w.count, historic_digits (row->block.count, 10));
      widen (&w.address, row->block.start ? historic_digits (row->block.start, 16) : 0);
      widen (&w.function, row->function ? (int) strlen (row->function) : 0);
      widen (&w.line, row->line ? historic_digits (row->line, 10) : 0);
      w.file |= row->file != NULL;
    }
  for (const struct row *row = r->rows; row < r->rows + r->count && w.function; row++)
    widen (&w.function, (int) strlen (shown (row->function)));
  return w;
}

/* A column that nobody knows anything for is left out, and those behind it. */
static void
write_row (FILE *out, size_t number, const struct row *row, const struct widths *w)
{
  fprintf (out, "    Block #%*zu: executed %*" PRIu64 " time(s)", w->number, number, w->count, row->block.count);
  if (w->address)
    fprintf (out, " address= 0x%.*" PRIx64, w->address, row->block.start);
  if (w->function)
    fprintf (out, " function= %-*s", w->function, shown (row->function));
  if (w->function && w->line)
    fprintf (out, " line= %*u", w->line, row->line);
  if (w->function && w->line && w->file)
    fprintf (out, " file= %s", shown (row->file));
  putc ('\n', out);
}

static void
write_unit (FILE *out, const char *name, const struct rows *r)
{
  struct widths w = measure (r);
  fprintf (out, "File %s, %zu basic blocks \n\n", name, r->count);
  for (size_t i = 0; i < r->count; i++)
    write_row (out, i + 1, &r->rows[i], &w);
  putc ('\n', out);
}

/* A unit in which nothing ran stands in no file of old, because it had not registered. */
static bool
has_run (const struct bbx_run_unit *unit, const struct rows *r)
{
  for (size_t i = 0; i < r->count; i++)
    if (r->rows[i].block.count)
      return true;
  return unit->nblocks > 0;
}

bool
historic_write_counts (FILE *out, const struct historic *h, struct error *err)
{
  bool ok = true;
  fprintf (out, "Basic block profiling finished on %s\n", ctime (&h->finished));
  for (size_t i = 0; i < h->sidecar->nunits && ok; i++)
    {
      const struct bbx_run_unit *unit = &h->sidecar->units[i];
      struct rows r = { 0 };
      ok = add_unit (&r, h, unit);
      if (ok && has_run (unit, &r))
        write_unit (out, unit->name, &r);
      for (size_t row = 0; row < r.count; row++)
        free (r.rows[row].function);
      free (r.rows);
    }
  fputs ("\n\n", out);
  return ok || error_no_memory (err);
}
