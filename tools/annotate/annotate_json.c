/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>

#include "tools/annotate/annotate_emit.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

enum { VERSION = 1 };

static void
print_count (FILE *out, const char *name, struct annotated_count count)
{
  if (count.known)
    fprintf (out, ", \"%s\": %" PRIu64, name, count.executions);
  else
    fprintf (out, ", \"%s\": null", name);
  fprintf (out, ", \"%s_more\": %" PRIu64 ", \"%s_fewer\": %" PRIu64, name, count.open.more, name,
           count.open.fewer);
}

static void
print_lines (FILE *out, const struct annotation *a, struct source *source)
{
  for (size_t i = 0; i < a->nlines; i++)
    {
      const struct annotated_line *line = &a->lines[i];
      fputs (i ? ",\n    {\"file\": " : "\n    {\"file\": ", out);
      json_string (out, line->file);
      fprintf (out, ", \"line\": %u", line->line);
      print_count (out, "executions", line->count);
      fprintf (out, ", \"samples\": %.3f, \"text\": ", line->samples);
      json_string (out, source_line (source, line->file, line->line));
      fputs ("}", out);
    }
}

static void
print_each (FILE *out, const struct annotation *a, const struct annotated_block *b)
{
  struct interval is;
  double ns;
  if (annotate_time_each (a, b, &ns, &is))
    fprintf (out, ", \"nanoseconds\": {\"value\": %.3f, \"low\": %.3f, \"high\": %.3f}", ns, is.low,
             is.high);
  else
    fputs (", \"nanoseconds\": null", out);
}

static void
print_blocks (FILE *out, const struct annotation *a, const struct annotated_piece *piece)
{
  static const char *const kinds[] = { "block", "entry", "plain", "lines", "outline" };
  for (size_t i = piece->first_block; i < piece->first_block + piece->nblocks; i++)
    {
      const struct annotated_block *b = &a->blocks[i];
      fprintf (out,
               "%s\n      {\"kind\": \"%s\", \"address\": \"0x%" PRIx64 "\", \"end\": \"0x%" PRIx64
               "\"",
               i > piece->first_block ? "," : "", kinds[b->kind], b->start, b->end);
      print_count (out, "executions", annotate_block_count (b));
      fprintf (out, ", \"samples\": %.3f", b->samples);
      print_each (out, a, b);
      if (b->block)
        {
          const struct edge *in, *to;
          size_t nin = edges_to (&a->model->edges, b->start, &in),
                 nto = edges_from (&a->model->edges, b->start, &to);
          json_edges (out, a->model, "edges_in", in, nin, true);
          json_edges (out, a->model, "edges_out", to, nto, false);
        }
      fputs ("}", out);
    }
}

/* Each origin as a list of frames, innermost function first. */
static void
print_origins (FILE *out, const struct annotation *a)
{
  for (size_t p = 0; p < a->norigins; p++)
    {
      const struct annotated_origin *origin = &a->origins[p];
      fputs (p ? ",\n    [" : "\n    [", out);
      for (size_t i = 0; i < origin->nframes; i++)
        {
          fputs (i ? ", {\"function\": " : "{\"function\": ", out);
          json_string (out, origin->frames[i].function);
          fputs (", \"file\": ", out);
          json_string (out, origin->frames[i].file);
          fprintf (out, ", \"line\": %u}", origin->frames[i].line);
        }
      fputs ("]", out);
    }
}

static void
print_instructions (FILE *out, const struct annotation *a, const struct annotated_piece *piece)
{
  const struct annotated_block *last = &a->blocks[piece->first_block + piece->nblocks - 1];
  size_t first = a->blocks[piece->first_block].first, end = last->first + last->ninstructions;
  for (size_t i = first; i < end; i++)
    {
      const struct annotated_instruction *is = &a->instructions[i];
      fprintf (out, "%s\n      {\"address\": \"0x%" PRIx64 "\", \"size\": %u, \"text\": ",
               i > first ? "," : "", is->code.address, is->code.size);
      json_string (out, is->code.text);
      print_count (out, "executions", is->count);
      fprintf (out, ", \"samples\": %.3f, \"block\": \"0x%" PRIx64 "\", \"target\": ", is->samples,
               a->blocks[is->block].start);
      json_address (out, is->code.target);
      fprintf (out, ", \"place\": %zu}", is->origin);
    }
}

static void
print_piece (FILE *out, const struct annotation *a, const struct annotated_piece *piece)
{
  const struct symbol *s = piece->symbol;
  fputs ("    {\"function\": ", out);
  json_string (out, piece->name);
  fputs (", \"symbol\": ", out);
  json_string (out, s->name);
  fputs (", \"object\": ", out);
  json_string (out, s->object->path);
  fprintf (out, ", \"address\": \"0x%" PRIx64 "\", \"object_address\": \"0x%" PRIx64 "\"",
           s->address, s->address - s->object->base);
  print_count (out, "entries", piece->entries);
  fprintf (out, ", \"samples\": %.3f,\n     \"blocks\": [", piece->samples);
  if (!a->lines_only)
    print_blocks (out, a, piece);
  fputs ("],\n     \"instructions\": [", out);
  if (!a->lines_only)
    print_instructions (out, a, piece);
  fputs ("]}", out);
}

void
annotate_emit_json (FILE *out, const struct annotation *a, struct source *source)
{
  const struct model *m = a->model;
  json_head (out, "bbprof-annotate", VERSION, m->objects.all[0].path, m);
  fputs (",\n  \"samples_per_second\": ", out);
  if (annotate_has_time (a))
    fprintf (out, "%" PRIu32, m->profile.rate);
  else
    fputs ("null", out);
  fprintf (out, ",\n  \"total_samples\": %.3f,\n  \"samples\": %.3f,\n  \"file\": ",
           a->all->total_samples, a->samples);
  json_string (out, a->file);
  fputs (",\n  \"lines\": [", out);
  print_lines (out, a, source);
  fputs ("],\n  \"places\": [", out);
  print_origins (out, a);
  fputs ("],\n  \"functions\": [\n", out);
  for (size_t i = 0; i < a->npieces; i++)
    {
      print_piece (out, a, &a->pieces[i]);
      fputs (i + 1 < a->npieces ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
}
