/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate_emit.h"
#include "name.h"
#include "short_name.h"
#include "visible.h"

#define HOT 0.1 /* share of the shown time */

struct page {
  FILE *out;
  const struct annotation *annotation;
  struct source *source;
  const struct style *style;
  enum annotate_view view;
};

/* Columns.  */

static void
print_heading (const struct page *p)
{
  style_put (p->style, p->out, TITLE);
  fprintf (p->out, "%15s", "executions");
  if (annotate_has_time (p->annotation))
    fprintf (p->out, " %9s %7s", "seconds", "share");
  fputs (p->view == VIEW_ASM ? "  address       instruction" : "    line  source", p->out);
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
}

static bool
is_hot (const struct annotation *a, double samples)
{
  return annotate_has_time (a) && samples >= HOT * a->samples && samples > 0;
}

/* Null: nothing to count there.  ZERO stands for code that has not run. */
static void
print_numbers (const struct page *p, const struct annotated_count *count, const char *zero, double samples)
{
  const struct annotation *a = p->annotation;
  if (!count)
    fprintf (p->out, "%15s", "");
  else if (!count->known)
    fprintf (p->out, "%15s", "-");
  else if (count->executions == 0)
    fprintf (p->out, "%15s", zero);
  else
    fprintf (p->out, "%15" PRIu64, count->executions);
  if (!annotate_has_time (a))
    return;
  if (samples > 0)
    fprintf (p->out, " %9.3f %6.2f%%", annotate_seconds (a, samples), 100 * samples / a->samples);
  else
    fprintf (p->out, " %9s %7s", "", "");
}

static void
print_margin (const struct page *p)
{
  fprintf (p->out, "%*s", annotate_has_time (p->annotation) ? 33 : 15, "");
}

/* Code.  */

static uint64_t
file_address (const struct page *p, uint64_t address)
{
  const struct object *o = objects_find (&p->annotation->model->objects, address);
  return address - (o ? o->base : 0);
}

static void
print_each (const struct page *p, double ns, struct interval is)
{
  static const char *const units[] = { "ns", "us", "ms", "s" };
  int unit = 0;
  double one = 1;
  while (unit < 3 && is.high >= 1000 * one)
    {
      one *= 1000;
      unit++;
    }
  fprintf (p->out, " times, %.3g %s each (%.3g to %.3g)", ns / one, units[unit], is.low / one, is.high / one);
}

static void
print_rule (const struct page *p, const struct annotated_block *b)
{
  struct interval is;
  double ns;
  print_margin (p);
  style_put (p->style, p->out, FAINT);
  if (b->kind == ANNOTATED_ENTRY)
    fputs ("  ---- in front of the first block", p->out);
  else if (b->kind == ANNOTATED_PLAIN)
    fputs ("  ---- without counters", p->out);
  else
    fprintf (p->out, "  ---- block 0x%" PRIx64 ": %" PRIu64, file_address (p, b->start), b->block->count);
  if (b->samples > 0 && annotate_time_each (p->annotation, b, &ns, &is))
    print_each (p, ns, is);
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
}

static void
print_instruction (const struct page *p, const struct annotated_instruction *is)
{
  bool hot = is_hot (p->annotation, is->samples);
  style_put (p->style, p->out, hot ? ALARM : FAINT);
  print_numbers (p, &is->count, "0", is->samples);
  fprintf (p->out, "    0x%-10" PRIx64 "  %s", file_address (p, is->code.address), visible (is->code.text));
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
}

/* Behind the last instruction of a block: where control went. */
static void
print_ways (const struct page *p, size_t instruction)
{
  const struct annotation *a = p->annotation;
  const struct annotated_instruction *is = &a->instructions[instruction];
  const struct annotated_block *b = &a->blocks[is->block];
  const struct edge *edge;
  if (!b->block || instruction + 1 < b->first + b->ninstructions)
    return;
  uint64_t taken = 0;
  for (size_t i = b->first; i <= instruction; i++)
    taken = a->instructions[i].way ? a->instructions[i].way : taken;
  size_t n = edges_from (&a->model->edges, b->start, &edge);
  if (n == 0)
    return;
  print_margin (p);
  style_put (p->style, p->out, FAINT);
  fputs ("    ->", p->out);
  for (size_t i = 0; i < n; i++)
    {
      if (edge[i].to)
        fprintf (p->out, "%s 0x%" PRIx64, i ? "," : "", file_address (p, edge[i].to));
      else
        fputs (i ? ", out" : " out", p->out);
      if (taken)
        fputs (edge[i].to == taken ? " taken" : edge[i].to ? " not taken" : "", p->out);
      fprintf (p->out, " %" PRIu64 " (%.2f%%)", edge[i].count, edges_percent (&edge[i], edge, n, b->block->count));
    }
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
}

/* What a chain says of a function. */
static void
print_function (const struct page *p, const char *symbol)
{
  char *name = name_demangle (model_program (p->annotation->model), symbol), *cut = short_name (name ? name : symbol, SHORT_NAME);
  fputs (visible (cut ? cut : symbol), p->out);
  free (cut);
  free (name);
}

/* Which function's code that is, and where that is inlined. */
static void
print_chain (const struct page *p, const struct annotated_place *place)
{
  print_margin (p);
  style_put (p->style, p->out, FAINT);
  fputs ("   ", p->out);
  for (size_t i = 0; i < place->nframes; i++)
    {
      const struct srcline *frame = &place->frames[i];
      fprintf (p->out, "%s", i ? " inlined into " : " ");
      print_function (p, frame->function);
      fprintf (p->out, " %s:%u", visible (srcline_base (frame->file)), frame->line);
    }
  if (place->nframes == 0)
    fputs (" (no line known)", p->out);
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
}

/* Instruction I, which is printed behind instruction BEFORE, or ANNOTATE_NONE; with the block that it is in, if that is another one, and
   whose code it is. */
static void
print_code (const struct page *p, size_t i, size_t before)
{
  const struct annotation *a = p->annotation;
  const struct annotated_instruction *is = &a->instructions[i], *last = before == ANNOTATE_NONE ? NULL : &a->instructions[before];
  const struct annotated_place *here = &a->places[is->place];
  if (!last || last->block != is->block)
    print_rule (p, &a->blocks[is->block]);
  if (last ? last->place != is->place : p->view == VIEW_ASM || here->nframes > 1)
    print_chain (p, here);
  print_instruction (p, is);
  print_ways (p, i);
}

static void
print_list (const struct page *p, const size_t *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    print_code (p, list[i], i ? list[i - 1] : ANNOTATE_NONE);
}

/* Source.  */

/* LINE: null if no code is of that line. */
static void
print_source (const struct page *p, const char *file, unsigned number, const struct annotated_line *line)
{
  const char *text = source_line (p->source, file, number);
  bool hot = line && is_hot (p->annotation, line->samples), dead = line && line->count.known && line->count.executions == 0;
  style_put (p->style, p->out, hot || dead ? ALARM : PLAIN);
  print_numbers (p, line ? &line->count : NULL, "#####", line ? line->samples : 0);
  fprintf (p->out, "  %6u  %s", number, visible_line (text ? text : ""));
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
  if (line && p->view == VIEW_BOTH)
    print_list (p, p->annotation->by_line + line->first, line->ninstructions);
}

/* Is there such a line of the file that is shown? */
static bool
has_line (const struct page *p, unsigned number)
{
  const struct annotation *a = p->annotation;
  return number <= a->high && (a->high < UINT32_MAX || source_line (p->source, a->file, number));
}

/* The first line of the function whose body begins in line LOW: what is above it in one piece, without what ends another thing. */
static unsigned
head_of (const struct page *p, const char *file, unsigned low)
{
  enum { MOST = 6 };
  unsigned head = low;
  while (head > 1 && low - head < MOST)
    {
      const char *text = source_line (p->source, file, head - 1);
      size_t n = text ? strlen (text) : 0;
      if (n == 0 || strchr (";}/", text[n - 1]) || text[0] == '#')
        break;
      head--;
    }
  return head;
}

/* The range that is shown, every line; then single lines from elsewhere that have code in it. */
static void
print_file (const struct page *p)
{
  const struct annotation *a = p->annotation;
  size_t first = 0;
  while (first < a->nlines && a->lines[first].line < a->low && strcmp (a->lines[first].file, a->file) == 0)
    first++;
  size_t end = first;
  for (unsigned number = head_of (p, a->file, a->low); has_line (p, number); number++)
    {
      bool code = end < a->nlines && a->lines[end].line == number && strcmp (a->lines[end].file, a->file) == 0;
      print_source (p, a->file, number, code ? &a->lines[end] : NULL);
      end += code;
    }
  const char *file = NULL;
  for (size_t i = 0; i < a->nlines; i++)
    if (i < first || i >= end)
      {
        if (!file || strcmp (a->lines[i].file, file) != 0)
          fprintf (p->out, "lines of %s:\n", visible (a->lines[i].file));
        file = a->lines[i].file;
        print_source (p, file, a->lines[i].line, &a->lines[i]);
      }
}

/* Instructions without a line. */
static void
print_rest (const struct page *p)
{
  const struct annotation *a = p->annotation;
  size_t first = a->nlines ? a->lines[a->nlines - 1].first + a->lines[a->nlines - 1].ninstructions : 0;
  if (p->view == VIEW_BOTH && first < a->ninstructions)
    {
      fputs ("code without lines:\n", p->out);
      print_list (p, a->by_line + first, a->ninstructions - first);
    }
}

/* Functions.  */

static void
print_piece (const struct page *p, const struct annotated_piece *piece)
{
  const struct annotation *a = p->annotation;
  const struct object *o = piece->symbol->object;
  style_put (p->style, p->out, TITLE);
  fprintf (p->out, "%s", visible (piece->name));
  style_put (p->style, p->out, PLAIN);
  if (!object_is_executable (o))
    fprintf (p->out, " of %s", visible (object_name (o)));
  fprintf (p->out, ", 0x%" PRIx64, piece->symbol->address - o->base);
  if (piece->entries.known)
    fprintf (p->out, ": entered %" PRIu64 " times", piece->entries.executions);
  else if (a->blocks[piece->first_block].kind == ANNOTATED_PLAIN)
    fputs (": without counters", p->out);
  if (annotate_has_time (a))
    fprintf (p->out, ", %.3f s, %.2f%% of all time", annotate_seconds (a, piece->samples), 100 * piece->samples / a->all->total_samples);
  fputs ("\n", p->out);
}

/* Of a file, those that are not known to have done nothing. */
static void
print_pieces (const struct page *p)
{
  const struct annotation *a = p->annotation;
  size_t left_out = 0;
  for (size_t i = 0; i < a->npieces; i++)
    {
      const struct annotated_piece *piece = &a->pieces[i];
      bool of_file = a->file && a->high == UINT32_MAX, counted = a->blocks[piece->first_block].kind != ANNOTATED_PLAIN;
      if (!of_file || !counted || piece->entries.executions > 0 || piece->samples > 0)
        print_piece (p, piece);
      else
        left_out++;
    }
  if (left_out > 0)
    fprintf (p->out, "%zu more that did not run\n", left_out);
}

/* What the code of the program's that is left out is. */
static void
print_outline (const struct page *p, const struct annotated_block *b)
{
  if (b->kind != ANNOTATED_OUTLINE)
    return;
  print_numbers (p, NULL, "", b->samples);
  fprintf (p->out, "    0x%-10" PRIx64 "  %" PRIu64 " bytes out of line: the profiler's own code, copies of blocks for who records\n",
           file_address (p, b->start), b->end - b->start);
}

static void
print_asm (const struct page *p)
{
  const struct annotation *a = p->annotation;
  for (size_t k = 0; k < a->npieces; k++)
    {
      const struct annotated_piece *piece = &a->pieces[k];
      const struct annotated_block *last = &a->blocks[piece->first_block + piece->nblocks - 1];
      size_t first = a->blocks[piece->first_block].first;
      fprintf (p->out, "%s:\n", visible (piece->name));
      for (size_t i = first; i < last->first + last->ninstructions; i++)
        print_code (p, i, i > first ? i - 1 : ANNOTATE_NONE);
    }
}

void
annotate_emit_text (FILE *out, const struct annotation *a, struct source *source, enum annotate_view view, const struct style *style)
{
  struct page p = { .out = out, .annotation = a, .source = source, .style = style, .view = view };
  warnings_show (out, &a->model->warnings);
  print_pieces (&p);
  if (a->file)
    fprintf (out, "source %s\n", visible (a->file));
  if (!a->file)
    fputs ("no debug information (compile with -g): machine code only\n", out);
  else if (!source_exists (source, a->file))
    fprintf (out, "which is not there (-I, --path-map): %s\n", view == VIEW_SOURCE ? "numbers of lines only" : "machine code only");
  if (!a->file || (view == VIEW_BOTH && !source_exists (source, a->file)))
    p.view = VIEW_ASM;
  fputs ("\n", out);
  print_heading (&p);
  if (p.view == VIEW_ASM)
    print_asm (&p);
  else
    {
      print_file (&p);
      print_rest (&p);
    }
  for (size_t i = 0; p.view != VIEW_SOURCE && i < a->nblocks; i++)
    print_outline (&p, &a->blocks[i]);
}
