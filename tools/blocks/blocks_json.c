/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is a promise: fields are added, never changed or taken away, without a new version
   number. */
#include <inttypes.h>

#include "model/open_counts.h"
#include "tools/blocks/blocks_emit.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

static void
print_ways (FILE *out, const struct model *m, const char *name, const char *end, size_t n,
            const struct edge *edge, bool from)
{
  fprintf (out, ", \"%s\": [", name);
  for (size_t i = 0; i < n; i++)
    {
      uint64_t address = from ? edge[i].from : edge[i].to;
      fprintf (out, "%s{\"%s\": ", i ? ", " : "", end);
      if (address)
        fprintf (out, "\"0x%" PRIx64 "\"", address);
      else
        fputs ("null", out);
      const struct open_count open = open_edge (m, edge[i].from, edge[i].to);
      fprintf (out,
               ", \"count\": %" PRIu64 ", \"count_more\": %" PRIu64 ", \"count_fewer\": %" PRIu64
               "}",
               edge[i].count, open.more, open.fewer);
    }
  fputs ("]", out);
}

static void
print_row (FILE *out, const struct block_table *t, const struct block_row *row)
{
  const struct block *block = row->block;
  fprintf (out,
           "    {\"executions\": %" PRIu64 ", \"executions_more\": %" PRIu64
           ", \"executions_fewer\": %" PRIu64
           ", \"share_percent\": %.4f, \"samples\": %.3f, \"address\": \"0x%" PRIx64
           "\", \"end\": \"0x%" PRIx64 "\", \"function\": ",
           block->count, block->open.more, block->open.fewer,
           blocks_percent ((double) block->count, (double) t->blocks->total_executions),
           block->samples, block->start, block->end);
  json_string (out, row->function);
  fputs (", \"symbol\": ", out);
  json_string (out, block->symbol ? block->symbol->name : NULL);
  fputs (", \"object\": ", out);
  json_string (out, block->object ? block->object->path : NULL);
  fprintf (out, ", \"object_address\": \"0x%" PRIx64 "\", \"file\": ", block_address (block));
  json_string (out, row->file);
  fputs (", \"line\": ", out);
  if (row->file)
    fprintf (out, "%u", row->line);
  else
    fputs ("null", out);
  if (t->edges)
    {
      const struct edge *in, *edges_out;
      size_t nin = block_ways_in (t, block, &in), nout = block_ways_out (t, block, &edges_out);
      print_ways (out, t->model, "edges_in", "from", nin, in, true);
      print_ways (out, t->model, "edges_out", "to", nout, edges_out, false);
    }
  fputs ("}", out);
}

void
blocks_emit_json (FILE *out, const struct block_table *t)
{
  const struct blocks *b = t->blocks;
  fprintf (out,
           "{\n  \"format\": \"bbprof-blocks\",\n  \"version\": %d,\n  \"program\": ", VERSION);
  json_string (out, t->program);
  fputs (",\n  \"profiles\": [", out);
  for (size_t i = 0; i < t->model->nruns; i++)
    {
      fputs (i ? ", " : "", out);
      json_string (out, t->model->runs[i].profile);
    }
  fputs ("]", out);
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
