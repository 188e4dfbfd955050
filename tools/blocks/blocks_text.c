/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/header.h"
#include "model/open_counts.h"
#include "tools/blocks/blocks_emit.h"
#include "tools/view/columns.h"
#include "tools/view/plural.h"

static const char *
row_object (const struct block_row *row)
{
  return row->block->object ? object_name (row->block->object) : "?";
}

static void
add_way (struct columns *c, const struct block_table *t, const struct block *block,
         const struct edge *edge, bool in, double percent)
{
  const uint64_t address = in ? edge->from : edge->to;
  const char *word = in ? "from" : "to";
  char count[OPEN_COUNT_TEXT];
  columns_add (c, "%s",
               open_count_text (count, edge->count, open_edge (t->model, edge->from, edge->to)));
  columns_add (c, "%.2f%%", percent);
  columns_add (c, "%s", "");
  if (address)
    columns_add (c, "%s 0x%" PRIx64, word, address - (block->object ? block->object->base : 0));
  else
    columns_add (c, "%s outside", word);
  for (int i = 0; i < 3; i++)
    columns_add (c, "%s", "");
}

static void
add_ways (struct columns *c, const struct block_table *t, const struct block *block)
{
  const struct edge *edge;
  size_t n = block_ways_in (t, block, &edge);
  for (size_t i = 0; i < n; i++)
    add_way (c, t, block, &edge[i], true,
             blocks_percent ((double) edge[i].count, (double) block->count));
  n = block_ways_out (t, block, &edge);
  for (size_t i = 0; i < n; i++)
    add_way (c, t, block, &edge[i], false, edges_percent (&edge[i], edge, n, block->count));
}

static void
add_row (struct columns *c, const struct block_table *t, const struct block_row *row)
{
  char place[512], count[OPEN_COUNT_TEXT];
  block_row_place (place, sizeof place, row);
  columns_add (c, "%s", open_count_text (count, row->block->count, row->block->open));
  columns_add (c, "%.2f%%",
               blocks_percent ((double) row->block->count, (double) t->blocks->total_executions));
  columns_add (c, "%.1f", row->block->samples);
  columns_add (c, "0x%" PRIx64, block_address (row->block));
  columns_add (c, "%s", place);
  columns_add (c, "%s", t->many_objects ? row_object (row) : "");
  columns_add (c, "%s", row->function ? row->function : "?");
}

static void
print_sum (FILE *out, const struct block_table *t, uint64_t executions, double samples,
           const char *what, const struct style *style)
{
  char numbers[64];
  int width = snprintf (numbers, sizeof numbers, "%10" PRIu64 "  %6.2f%%  %7.1f  ", executions,
                        blocks_percent ((double) executions, (double) t->blocks->total_executions),
                        samples);
  header_wrap (out, numbers, (size_t) width, style->columns > 0 ? style->columns : SIZE_MAX, what);
}

static void
print_sums (FILE *out, const struct block_table *t, const struct style *style)
{
  const struct blocks *b = t->blocks;
  uint64_t shown = 0;
  double shown_samples = 0;
  char *what, more[64] = "";
  for (size_t i = 0; i < t->nrows; i++)
    {
      shown += t->rows[i].block->count;
      shown_samples += t->rows[i].block->samples;
    }
  if (b->map.found)
    snprintf (more, sizeof more, " (the program has %zu)", b->count);
  if (asprintf (&what, "shown: %zu of %zu executed block%s%s", t->nrows, b->executed,
                plural (b->executed), more)
      >= 0)
    {
      print_sum (out, t, shown, shown_samples, what, style);
      free (what);
    }
  print_sum (out, t, b->total_executions, b->total_samples, "total", style);
}

bool
blocks_emit_text (FILE *out, const struct block_table *t, const struct style *style)
{
  static const struct column head[] = { { .title = "executions" },
                                        { .title = "share" },
                                        { .title = "samples", .spare = true },
                                        { .title = "address" },
                                        { .title = "file:line", .left = true, .gives = true },
                                        { .title = "object", .left = true, .spare = true },
                                        { .title = "function", .left = true, .gives = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  if (t->window)
    fprintf (out, "the last %" PRIu64 " blocks of each thread\n", t->window);
  for (size_t i = 0; i < t->nrows; i++)
    {
      add_row (&c, t, &t->rows[i]);
      if (t->edges)
        add_ways (&c, t, t->rows[i].block);
    }
  bool ok = columns_print (&c, out, style);
  columns_free (&c);
  print_sums (out, t, style);
  return ok;
}
