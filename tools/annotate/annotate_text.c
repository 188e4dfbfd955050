/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/header.h"
#include "common/visible.h"
#include "model/elf/demangle.h"
#include "model/open_counts.h"
#include "tools/annotate/annotate_emit.h"
#include "tools/view/plural.h"
#include "tools/view/short_name.h"

#define HOT 0.1 /* hot: share of the shown time */

struct page {
  FILE *out;
  const struct annotation *annotation;
  struct source *source;
  const struct style *style;
  enum annotate_view view;
};

/* Columns.  */

enum { NUMBERS = 15, NUMBERS_WITH_TIME = NUMBERS + 18 }; /* width of what print_numbers prints */
/* further indentation of notes about code */
enum { RULE = 2, CODE = 4 };

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

/* COUNT null: nothing is counted here.  ZERO: printed for code that did not run. */
static void
print_numbers (const struct page *p, const struct annotated_count *count, const char *zero,
               double samples)
{
  const struct annotation *a = p->annotation;
  char text[OPEN_COUNT_TEXT];
  if (!count)
    fprintf (p->out, "%15s", "");
  else if (!count->known)
    fprintf (p->out, "%15s", "-");
  else if (count->executions == 0 && count->open.more == 0)
    fprintf (p->out, "%15s", zero);
  else
    fprintf (p->out, "%15s", open_count_text (text, count->executions, count->open));
  if (!annotate_has_time (a))
    return;
  if (samples > 0)
    fprintf (p->out, " %9.3f %6.2f%%", annotate_seconds (a, samples), 100 * samples / a->samples);
  else
    fprintf (p->out, " %9s %7s", "", "");
}

static size_t
margin (const struct page *p)
{
  return annotate_has_time (p->annotation) ? NUMBERS_WITH_TIME : NUMBERS;
}

/* Bytes of TEXT, printed from column AT on, that fit before column WIDTH. */
static int
room_for (const char *text, size_t at, size_t width)
{
  const char *p = text;
  while (*p)
    {
      const char *next = p + 1;
      while (((unsigned char) *next & 0xc0) == 0x80)
        next++;
      at = *p == '\t' ? (at | 7) + 1 : at + 1;
      if (at > width)
        break;
      p = next;
    }
  return (int) (p - text);
}

/* Prints TEXT, AT columns behind the start of the line; cut to the terminal's width. */
static void
print_rest_of_line (const struct page *p, size_t at, const char *text)
{
  int length = p->style->columns > 0 ? room_for (text, at, p->style->columns) : (int) strlen (text);
  fprintf (p->out, "%.*s", length, text);
}

/* Opens a line in memory, which becomes *TEXT; null: no memory. */
static FILE *
begin_line (char **text)
{
  static size_t size;
  *text = NULL;
  return open_memstream (text, &size);
}

/* Prints what was written to LINE, indented by INDENT.  On a terminal, a WHOLE line is wrapped,
   others are cut. */
static void
end_line (const struct page *p, size_t indent, bool whole, FILE *line, char *const *text)
{
  bool ok = fclose (line) == 0;
  style_put (p->style, p->out, FAINT);
  if (ok && whole && p->style->columns > indent)
    header_wrap (p->out, "", indent, p->style->columns, *text);
  else if (ok)
    {
      fprintf (p->out, "%*s", (int) indent, "");
      print_rest_of_line (p, indent, *text);
      fputs ("\n", p->out);
    }
  style_put (p->style, p->out, PLAIN);
  free (*text);
}

/* Code.  */

static uint64_t
file_address (const struct page *p, uint64_t address)
{
  const struct object *o = objects_find (&p->annotation->model->objects, address);
  return address - (o ? o->base : 0);
}

static void
print_each (FILE *out, double ns, struct interval is)
{
  static const char *const units[] = { "ns", "us", "ms", "s" };
  int unit = 0;
  double one = 1;
  while (unit < 3 && is.high >= 1000 * one)
    {
      one *= 1000;
      unit++;
    }
  fprintf (out, " times, %.3g %s each (%.3g to %.3g)", ns / one, units[unit], is.low / one,
           is.high / one);
}

static void
print_rule (const struct page *p, const struct annotated_block *b)
{
  struct interval is;
  double ns;
  char count[OPEN_COUNT_TEXT];
  char *text;
  FILE *out = begin_line (&text);
  if (!out)
    return;
  if (b->kind == ANNOTATED_ENTRY)
    fputs ("---- before the first block", out);
  else if (b->kind == ANNOTATED_PLAIN)
    fputs ("---- without counters", out);
  else
    fprintf (out, "---- block 0x%" PRIx64 ": %s", file_address (p, b->start),
             open_count_text (count, b->block->count, b->block->open));
  if (b->samples > 0 && annotate_time_each (p->annotation, b, &ns, &is))
    print_each (out, ns, is);
  end_line (p, margin (p) + RULE, true, out, &text);
}

static void
print_instruction (const struct page *p, const struct annotated_instruction *is)
{
  bool hot = is_hot (p->annotation, is->samples);
  style_put (p->style, p->out, hot ? ALARM : FAINT);
  print_numbers (p, &is->count, "0", is->samples);
  int address = fprintf (p->out, "    0x%-10" PRIx64 "  ", file_address (p, is->code.address));
  print_rest_of_line (p, margin (p) + (size_t) address, visible (is->code.text));
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
}

/* Behind the last instruction of a block: counts of the edges. */
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
  char *text;
  FILE *out = n > 0 ? begin_line (&text) : NULL;
  if (!out)
    return;
  fputs ("->", out);
  for (size_t i = 0; i < n; i++)
    {
      char count[OPEN_COUNT_TEXT];
      if (edge[i].to)
        fprintf (out, "%s 0x%" PRIx64, i ? "," : "", file_address (p, edge[i].to));
      else
        fputs (i ? ", out" : " out", out);
      if (taken)
        fputs (edge[i].to == taken ? " taken" : edge[i].to ? " not taken" : "", out);
      fprintf (
          out, " %s (%.2f%%)",
          open_count_text (count, edge[i].count, open_edge (a->model, edge[i].from, edge[i].to)),
          edges_percent (&edge[i], edge, n, b->block->count));
    }
  end_line (p, margin (p) + CODE, true, out, &text);
}

/* Width of a function's name in an inline chain. */
static size_t
name_width (const struct page *p)
{
  size_t taken = margin (p) + CODE, columns = p->style->columns;
  return columns > taken && columns - taken < SHORT_NAME ? columns - taken : SHORT_NAME;
}

/* Prints a function of an inline chain. */
static void
print_function (const struct page *p, FILE *out, const char *symbol)
{
  char *name = demangle_name (model_program (p->annotation->model), symbol);
  char *cut = short_name (name ? name : symbol, name_width (p));
  fputs (visible (cut ? cut : symbol), out);
  free (cut);
  free (name);
}

/* Prints the function of the code, and the functions that it is inlined into. */
static void
print_chain (const struct page *p, const struct annotated_origin *origin)
{
  char *text;
  FILE *out = begin_line (&text);
  if (!out)
    return;
  for (size_t i = 0; i < origin->nframes; i++)
    {
      const struct srcline *frame = &origin->frames[i];
      fputs (i ? " inlined into " : "", out);
      print_function (p, out, frame->function);
      fprintf (out, " %s:%u", visible (srcline_base (frame->file)), frame->line);
    }
  if (origin->nframes == 0)
    fputs ("(line unknown)", out);
  end_line (p, margin (p) + CODE, false, out, &text);
}

/* Prints instruction I behind instruction BEFORE (or ANNOTATE_NONE), with its block and its
   origin if these changed. */
static void
print_code (const struct page *p, size_t i, size_t before)
{
  const struct annotation *a = p->annotation;
  const struct annotated_instruction *is = &a->instructions[i],
                                     *last = before == ANNOTATE_NONE ? NULL
                                                                     : &a->instructions[before];
  const struct annotated_origin *here = &a->origins[is->origin];
  if (!last || last->block != is->block)
    print_rule (p, &a->blocks[is->block]);
  if (last ? last->origin != is->origin : p->view == VIEW_ASM || here->nframes > 1)
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

/* LINE: null if it has no code.  The text is cut to the terminal's width. */
static void
print_source (const struct page *p, const char *file, unsigned number,
              const struct annotated_line *line)
{
  const char *text = source_line (p->source, file, number);
  bool hot = line && is_hot (p->annotation, line->samples),
       dead = line && line->count.known && line->count.executions == 0;
  style_put (p->style, p->out, hot || dead ? ALARM : PLAIN);
  print_numbers (p, line ? &line->count : NULL, "#####", line ? line->samples : 0);
  const char *shown = visible_line (text ? text : "");
  fprintf (p->out, "  %6u  ", number);
  print_rest_of_line (p, margin (p) + 10, shown);
  style_put (p->style, p->out, PLAIN);
  fputs ("\n", p->out);
  if (line && p->view == VIEW_BOTH)
    print_list (p, p->annotation->by_line + line->first, line->ninstructions);
}

/* Does the shown file have line NUMBER, in the shown range? */
static bool
has_line (const struct page *p, unsigned number)
{
  const struct annotation *a = p->annotation;
  return number <= a->high && (a->high < UINT32_MAX || source_line (p->source, a->file, number));
}

/* Is LINE (null: without code) among those that are shown? */
static bool
is_shown (const struct page *p, const struct annotated_line *line)
{
  return p->annotation->most == SIZE_MAX || (line && line->shown);
}

/* Prints the shown range completely, then single lines from elsewhere that have code in it. */
static void
print_file (const struct page *p)
{
  const struct annotation *a = p->annotation;
  size_t first = 0;
  while (first < a->nlines && a->lines[first].line < a->low
         && strcmp (a->lines[first].file, a->file) == 0)
    first++;
  size_t end = first;
  unsigned head = a->lines_only ? a->low : source_head (p->source, a->file, a->low);
  for (unsigned number = head; has_line (p, number); number++)
    {
      bool code = end < a->nlines && a->lines[end].line == number
                  && strcmp (a->lines[end].file, a->file) == 0;
      if (is_shown (p, code ? &a->lines[end] : NULL))
        print_source (p, a->file, number, code ? &a->lines[end] : NULL);
      end += code;
    }
  const char *file = NULL;
  for (size_t i = 0; i < a->nlines; i++)
    if ((i < first || i >= end) && is_shown (p, &a->lines[i]))
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
  size_t first = a->nlines ? a->lines[a->nlines - 1].first + a->lines[a->nlines - 1].ninstructions
                           : 0;
  if (p->view == VIEW_BOTH && a->most == SIZE_MAX && first < a->ninstructions)
    {
      fputs ("code without lines:\n", p->out);
      print_list (p, a->by_line + first, a->ninstructions - first);
    }
}

/* Functions.  */

/* Prints NAME and REST; NAME is shortened to the terminal's width. */
static void
print_name (const struct page *p, const char *name, const char *rest)
{
  size_t taken = short_name_columns (rest), least = 16,
         width = p->style->columns > taken + least ? p->style->columns - taken : least;
  char *cut = p->style->columns > 0 ? short_name (name, width) : NULL;
  style_put (p->style, p->out, TITLE);
  fputs (cut ? cut : name, p->out);
  style_put (p->style, p->out, PLAIN);
  fprintf (p->out, "%s\n", rest);
  free (cut);
}

static void
print_piece (const struct page *p, const struct annotated_piece *piece)
{
  const struct annotation *a = p->annotation;
  const struct object *o = piece->symbol->object;
  char entries[OPEN_COUNT_TEXT];
  char *rest = NULL;
  size_t size;
  FILE *out = open_memstream (&rest, &size);
  if (!out)
    return;
  if (!object_is_executable (o))
    fprintf (out, " of %s", visible (object_name (o)));
  if (!a->lines_only)
    fprintf (out, ", 0x%" PRIx64, piece->symbol->address - o->base);
  if (piece->entries.known)
    fprintf (out, ": entered %s time%s",
             open_count_text (entries, piece->entries.executions, piece->entries.open),
             plural (piece->entries.executions));
  else if (a->blocks[piece->first_block].kind == ANNOTATED_PLAIN)
    fputs (": without counters", out);
  if (annotate_has_time (a))
    fprintf (out, ", %.3f s, %.2f%% of all time", annotate_seconds (a, piece->samples),
             100 * piece->samples / a->all->total_samples);
  if (fclose (out) == 0)
    print_name (p, visible (piece->name), rest);
  free (rest);
}

/* Prints the functions; of a file, without those that have counters and did not run. */
static void
print_pieces (const struct page *p)
{
  const struct annotation *a = p->annotation;
  size_t left_out = 0;
  for (size_t i = 0; i < a->npieces; i++)
    {
      const struct annotated_piece *piece = &a->pieces[i];
      bool of_file = a->file && a->high == UINT32_MAX,
           counted = a->blocks[piece->first_block].kind != ANNOTATED_PLAIN && !a->lines_only;
      if (!of_file || !counted || piece->entries.executions > 0 || piece->samples > 0)
        print_piece (p, piece);
      else
        left_out++;
    }
  if (left_out > 0)
    fprintf (p->out, "%zu more did not run\n", left_out);
}

/* Describes the part of the code that is left out. */
static void
print_outline (const struct page *p, const struct annotated_block *b)
{
  if (b->kind != ANNOTATED_OUTLINE)
    return;
  print_numbers (p, NULL, "", b->samples);
  char *text;
  FILE *out = begin_line (&text);
  int address = fprintf (p->out, "    0x%-10" PRIx64 "  ", file_address (p, b->start));
  if (!out)
    return;
  fprintf (out,
           "%" PRIu64
           " byte%s out of line: the profiler's code, and copies of blocks for recording",
           b->end - b->start, plural (b->end - b->start));
  if (fclose (out) == 0)
    print_rest_of_line (p, margin (p) + (size_t) address, text);
  fputs ("\n", p->out);
  free (text);
}

static void
print_asm (const struct page *p)
{
  const struct annotation *a = p->annotation;
  for (size_t k = 0; k < a->npieces; k++)
    {
      const struct annotated_piece *piece = &a->pieces[k];
      const struct annotated_block *last = &a->blocks[piece->first_block + piece->nblocks - 1];
      size_t first = a->blocks[piece->first_block].first, before = ANNOTATE_NONE;
      fprintf (p->out, "%s:\n", visible (piece->name));
      for (size_t i = first; i < last->first + last->ninstructions; i++)
        if (a->instructions[i].shown)
          {
            print_code (p, i, before);
            before = i;
          }
    }
}

void
annotate_emit_text (FILE *out, const struct annotation *a, struct source *source,
                    enum annotate_view view, const struct style *style)
{
  struct page p = { .out = out, .annotation = a, .source = source, .style = style, .view = view };
  warnings_show (out, &a->model->warnings);
  print_pieces (&p);
  if (a->file)
    fprintf (out, "source %s\n", visible (a->file));
  if (!a->file)
    fputs ("no debug information (compile with -g): machine code only\n", out);
  else if (!source_exists (source, a->file))
    fprintf (out, "which is missing (see -I, --path-map): %s\n",
             view == VIEW_SOURCE || a->lines_only ? "line numbers only" : "machine code only");
  if (a->lines_only)
    p.view = VIEW_SOURCE;
  else if (!a->file || (view == VIEW_BOTH && !source_exists (source, a->file)))
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
  const size_t all = p.view == VIEW_ASM ? a->ninstructions : a->nlines;
  if (a->most < all)
    fprintf (out, "shown: %zu of %zu %s\n", a->most, all,
             p.view == VIEW_ASM ? "instructions" : "lines with code");
  for (size_t i = 0; p.view != VIEW_SOURCE && i < a->nblocks; i++)
    print_outline (&p, &a->blocks[i]);
}
