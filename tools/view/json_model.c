/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "model/open_counts.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

void
json_head (FILE *out, const char *format, int version, const char *program, const struct model *m)
{
  fprintf (out, "{\n  \"format\": \"%s\",\n  \"version\": %d,\n  \"program\": ", format, version);
  json_string (out, program);
  fputs (",\n  \"profiles\": [", out);
  for (size_t i = 0; i < m->nruns; i++)
    {
      fputs (i ? ", " : "", out);
      json_string (out, m->runs[i].profile);
    }
  fputs ("]", out);
}

void
json_address (FILE *out, uint64_t address)
{
  if (address)
    fprintf (out, "\"0x%" PRIx64 "\"", address);
  else
    fputs ("null", out);
}

void
json_edges (FILE *out, const struct model *m, const char *name, const struct edge *edges, size_t n,
            bool from)
{
  fprintf (out, ", \"%s\": [", name);
  for (size_t i = 0; i < n; i++)
    {
      fprintf (out, "%s{\"%s\": ", i ? ", " : "", from ? "from" : "to");
      json_address (out, from ? edges[i].from : edges[i].to);
      const struct open_count open = open_edge (m, edges[i].from, edges[i].to);
      fprintf (out,
               ", \"count\": %" PRIu64 ", \"count_more\": %" PRIu64 ", \"count_fewer\": %" PRIu64
               "}",
               edges[i].count, open.more, open.fewer);
    }
  fputs ("]", out);
}

void
json_languages (FILE *out, const struct model *m)
{
  const struct bbx_language *l;
  fputs ("\"languages\": [", out);
  for (size_t i = 0; (l = model_language (m, i)) != NULL; i++)
    {
      fputs (i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
      json_string_in_html (out, l->name);
      fprintf (out,
               ", \"samples\": %" PRIu64 ", \"collecting\": %" PRIu64 ", \"cut\": %" PRIu64
               ", \"late\": %" PRIu64 ", \"delay_ms\": %.6f, \"delay_most_ms\": %.6f"
               ", \"missed\": %" PRIu64 ", \"unknown\": %" PRIu64 ", \"unlisted\": %" PRIu64 "}",
               l->ticks, l->collecting, l->cut, l->late, bbx_language_mean_delay (l),
               (double) l->delay_most / 1e6, l->missed, l->unknown, l->unlisted);
    }
  fputs ("]", out);
}

void
json_block (FILE *out, const struct block_row *row)
{
  const struct block *b = row->block;
  fputs ("\"function\": ", out);
  json_string (out, row->function);
  fputs (", \"symbol\": ", out);
  json_string (out, b->symbol ? b->symbol->name : NULL);
  fputs (", \"object\": ", out);
  json_string (out, b->object ? b->object->path : NULL);
  fprintf (out, ", \"object_address\": \"0x%" PRIx64 "\", \"file\": ", block_address (b));
  json_string (out, row->file);
  if (row->file)
    fprintf (out, ", \"line\": %u", row->line);
  else
    fputs (", \"line\": null", out);
}
