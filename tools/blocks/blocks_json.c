/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is a promise: fields are added, never changed or taken away, without a new version
   number. */
#include <inttypes.h>

#include "tools/blocks/blocks_emit.h"
#include "tools/view/json_model.h"

enum { VERSION = 1 };

static void
print_row (FILE *out, const struct block_table *t, const struct block_row *row)
{
  const struct block *block = row->block;
  fprintf (out,
           "    {\"executions\": %" PRIu64 ", \"executions_more\": %" PRIu64
           ", \"executions_fewer\": %" PRIu64
           ", \"share_percent\": %.4f, \"samples\": %.3f, \"address\": \"0x%" PRIx64
           "\", \"end\": \"0x%" PRIx64 "\", ",
           block->count, block->open.more, block->open.fewer,
           blocks_percent ((double) block->count, (double) t->blocks->total_executions),
           block->samples, block->start, block->end);
  json_block (out, row);
  if (t->edges)
    {
      const struct edge *in, *edges_out;
      size_t nin = block_ways_in (t, block, &in), nout = block_ways_out (t, block, &edges_out);
      json_edges (out, t->model, "edges_in", in, nin, true);
      json_edges (out, t->model, "edges_out", edges_out, nout, false);
    }
  fputs ("}", out);
}

void
blocks_emit_json (FILE *out, const struct block_table *t)
{
  const struct blocks *b = t->blocks;
  json_head (out, "bbprof-blocks", VERSION, t->program, t->model);
  if (t->window)
    fprintf (out, ",\n  \"window\": %" PRIu64, t->window);
  fprintf (out,
           ",\n  \"total\": {\"executions\": %" PRIu64
           ", \"samples\": %.3f, \"executed_blocks\": %zu, \"blocks\": ",
           b->total_executions, b->total_samples, b->executed);
  if (b->map.found)
    fprintf (out, "%zu", b->count);
  else
    fputs ("null", out);
  fprintf (out, ", \"samples_per_second\": ");
  if (t->model->profile.nhistograms && t->model->profile.letter == 's')
    fprintf (out, "%" PRIu32, t->model->profile.rate);
  else
    fputs ("null", out);
  fputs ("},\n  \"blocks\": [\n", out);
  for (size_t i = 0; i < t->nrows; i++)
    {
      print_row (out, t, &t->rows[i]);
      fputs (i + 1 < t->nrows ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
}
