/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "blocks_emit.h"
#include "visible.h"

static int
place_width (const struct block_table *t)
{
  int width = (int) strlen ("file:line");
  for (size_t i = 0; i < t->nrows; i++)
    {
      char place[512];
      block_row_place (place, sizeof place, &t->rows[i]);
      if ((int) strlen (place) > width)
        width = (int) strlen (place);
    }
  return width < BLOCK_ROW_PLACE ? width : BLOCK_ROW_PLACE;
}

static const char *
row_object (const struct block_row *row)
{
  return row->block->object ? visible (object_name (row->block->object)) : "?";
}

/* Of the column of objects; 0: there is none, all is the executable's. */
static int
object_width (const struct block_table *t)
{
  int width = (int) strlen ("object");
  for (size_t i = 0; i < t->nrows; i++)
    if ((int) strlen (row_object (&t->rows[i])) > width)
      width = (int) strlen (row_object (&t->rows[i]));
  return t->many_objects ? width : 0;
}

static void
print_way (FILE *out, const struct block *block, const char *word, uint64_t address, uint64_t count, double percent)
{
  fprintf (out, "%16" PRIu64 " %6.2f%%   %s ", count, percent, word);
  if (address)
    fprintf (out, "0x%" PRIx64 "\n", address - (block->object ? block->object->base : 0));
  else
    fputs ("outside\n", out);
}

static void
print_ways (FILE *out, const struct block_table *t, const struct block *block)
{
  const struct edge *edge;
  size_t n = block_ways_in (t, block, &edge);
  for (size_t i = 0; i < n; i++)
    print_way (out, block, "from", edge[i].from, edge[i].count, blocks_percent ((double) edge[i].count, (double) block->count));
  n = block_ways_out (t, block, &edge);
  for (size_t i = 0; i < n; i++)
    print_way (out, block, "to", edge[i].to, edge[i].count, edges_percent (&edge[i], edge, n, block->count));
}

void
blocks_emit_text (FILE *out, const struct block_table *t)
{
  const struct blocks *b = t->blocks;
  int width = place_width (t), owidth = object_width (t);
  uint64_t shown = 0;
  double shown_samples = 0;

  fprintf (out, "%16s %7s %10s %12s  %-*s  %-*s%sfunction\n", "executions", "share", "samples", "address", width,
           "file:line", owidth, owidth ? "object" : "", owidth ? "  " : "");
  for (size_t i = 0; i < t->nrows; i++)
    {
      const struct block_row *row = &t->rows[i];
      const struct block *block = row->block;
      char place[512], address[24];
      block_row_place (place, sizeof place, row);
      snprintf (address, sizeof address, "0x%" PRIx64, block_address (block));
      fprintf (out, "%16" PRIu64 " %6.2f%% %10.1f %12s  %-*s  %-*s%s%s\n", block->count,
               blocks_percent ((double) block->count, (double) b->total_executions), block->samples, address, width,
               place, owidth, owidth ? row_object (row) : "", owidth ? "  " : "", row->function ? visible (row->function) : "?");
      if (t->edges)
        print_ways (out, t, block);
      shown += block->count;
      shown_samples += block->samples;
    }
  fprintf (out, "%16" PRIu64 " %6.2f%% %10.1f  shown: %zu of %zu executed blocks", shown,
           blocks_percent ((double) shown, (double) b->total_executions), shown_samples, t->nrows, b->executed);
  if (b->map.found)
    fprintf (out, " (the program has %zu)", b->count);
  fprintf (out, "\n%16" PRIu64 " %6.2f%% %10.1f  total\n", b->total_executions,
           b->total_executions ? 100.0 : 0.0, b->total_samples);
}
