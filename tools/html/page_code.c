/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source, machine code and blocks of functions, as bbprof annotate and bbprof jumps have them. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "tools/annotate/annotate.h"
#include "tools/html/page_data.h"
#include "tools/jumps/jumps.h"
#include "tools/page/web_numbers.h"
#include "tools/view/json.h"
#include "tools/view/source.h"

/* The hot functions have so much of the time, or of the executions; so many in any case, and not
   more than so many, nor more than so many bytes of the page. */
enum { HOT_PERCENT = 95, HOT_LEAST = 20, HOT_MOST = 100, HOT_BYTES = 1500000 };
/* Estimated bytes in the page for an instruction, and for a line of source beside its text. */
enum { INSTRUCTION_BYTES = 26, LINE_BYTES = 38 };

enum edge_kind {
  EDGE_JUMP,
  EDGE_NEXT, /* falls through */
  EDGE_ENTRY,
  EDGE_OUT,
  /* From outside to another block than the first: */
  EDGE_EXCEPTION,
  EDGE_LONGJMP,
  EDGE_GOTO, /* computed */
};
enum { FLAG_LANDING = 1, FLAG_CLEANUP = 2, FLAG_COPIED = 4 }; /* of blocks */

struct page_code {
  struct page_data *page;
  const struct export_view *view;
  const struct model *model;
  struct jumps jumps; /* for the loops */
  struct source source;
  struct web_names texts; /* of instructions */
  /* Of each symbol: */
  double *ticks, *executions;
  uint32_t *functions; /* 1 + the function of the page; 0: none */
  bool *done;          /* its code is in the page */
  uint32_t *order;     /* the symbols, the hottest first */
  /* The texts are theirs. */
  struct annotation *all;
  size_t count, room;
  size_t bytes; /* of the page, estimated */
};

/* Which functions. */

/* Of functions of languages, with the native functions that they called, as their lines have it. */
static void
add_spoken_time (struct page_code *c)
{
  const struct symtab *t = &c->model->symtab;
  for (size_t i = 0; i < t->count; i++)
    if (t->symbols[i].file && c->functions[i] > 0)
      {
        const struct language_line *lines;
        size_t n = languages_lines (&c->model->stacks.languages, t->symbols[i].address, &lines);
        c->ticks[i] = 0;
        while (n-- > 0)
          c->ticks[i] += (double) lines[n].ticks;
      }
}

static void
add_time (struct page_code *c)
{
  const struct frames *f = &c->view->frames;
  for (size_t i = 0; i < f->nplaces; i++)
    {
      const struct frames_place *place = &f->places[i];
      c->functions[place->symbol] = f->lines[place->first + place->nlines - 1].function + 1;
    }
  for (uint32_t i = 1; i < f->tree.count; i++)
    if (f->tree.nodes[i].kind == BBX_FRAME_CODE)
      c->ticks[f->places[f->tree.nodes[i].address].symbol] += (double) f->tree.nodes[i].ticks;
  add_spoken_time (c);
  for (size_t i = 0; i < c->view->blocks.count; i++)
    {
      const struct block *b = &c->view->blocks.blocks[i];
      if (b->symbol)
        c->executions[b->symbol - c->model->symtab.symbols] += (double) b->count;
    }
}

static int
compare_weights (const void *x, const void *y, void *context)
{
  const double *weights = context;
  const uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
  return weights[a] != weights[b] ? (weights[a] > weights[b] ? -1 : 1) : (a > b) - (a < b);
}

/* Is its code in a file, or has it lines of one? */
static bool
has_code (const struct symbol *s)
{
  if (s->file)
    return *s->file;
  return s->object && object_is_file (s->object) && s->object->image.bfd;
}

/* Numbers. */

static void
put_count (FILE *out, struct annotated_count count)
{
  web_number (out, count.known ? count.executions + 1 : 0);
}

static void
put_samples (FILE *out, double samples)
{
  web_number (out, (uint64_t) llround (1000 * samples));
}

/* The number of the block that begins at ADDRESS, and 1; 0: none of these. */
static size_t
block_number (const struct annotation *a, uint64_t address)
{
  size_t i = ARRAY_BEFORE (n, a->nblocks, a->blocks[n].start < address);
  return address && i < a->nblocks && a->blocks[i].start == address ? i + 1 : 0;
}

/* The number of the instruction at ADDRESS, and 1; 0: none of these. */
static size_t
instruction_number (const struct annotation *a, uint64_t address)
{
  size_t i = ARRAY_BEFORE (n, a->ninstructions, a->instructions[n].code.address < address);
  return address && i < a->ninstructions && a->instructions[i].code.address == address ? i + 1 : 0;
}

/* For each block: kind, address in the object, instructions, 1 + executions or 0, thousandths of
   samples, flags. */
static void
put_blocks (FILE *out, const struct annotation *a, const struct page_code *c)
{
  const struct map *map = &c->view->blocks.map;
  fputs (",\"blocks\":\"", out);
  for (size_t i = 0; i < a->nblocks; i++)
    {
      const struct annotated_block *b = &a->blocks[i];
      const struct map_block *m = b->block ? b->block->map : NULL;
      bool landing = m && (m->shape & BBP_BLOCK_IN) && &map->blocks[m->function] != m;
      web_number (out, b->kind);
      web_number (out, b->start - a->pieces[0].symbol->object->base);
      web_number (out, a->lines_only ? 0 : b->ninstructions);
      put_count (out, annotate_block_count (b));
      put_samples (out, b->samples);
      web_number (out, (landing ? FLAG_LANDING : 0U) | (b->cleanup ? FLAG_CLEANUP : 0U)
                           | (b->copied ? FLAG_COPIED : 0U));
    }
  fputc ('"', out);
}

static void
put_edge (FILE *out, size_t from, size_t to, uint64_t count, enum edge_kind kind)
{
  web_number (out, from);
  web_number (out, to);
  web_number (out, count);
  web_number (out, kind);
}

/* Edges from the block that were passed, then those of the map that were not. */
static void
put_edges_from (FILE *out, const struct annotation *a, const struct page_code *c, size_t number)
{
  const struct annotated_block *b = &a->blocks[number];
  const struct map *map = &c->view->blocks.map;
  const struct map_block *m = b->block->map;
  const struct edge *edges;
  size_t n = edges_from (&c->model->edges, b->start, &edges);
  for (size_t i = 0; i < n; i++)
    put_edge (out, number + 1, block_number (a, edges[i].to), edges[i].count,
              !block_number (a, edges[i].to) ? EDGE_OUT
              : edges[i].to == b->block->end ? EDGE_NEXT
                                             : EDGE_JUMP);
  for (size_t i = 0; m && i < m->nways; i++)
    {
      uint64_t to = map->blocks[map->ways[m->first_way + i].to].start;
      size_t k = 0;
      while (k < n && edges[k].to != to)
        k++;
      if (k == n && block_number (a, to))
        put_edge (out, number + 1, block_number (a, to), 0,
                  to == b->block->end ? EDGE_NEXT : EDGE_JUMP);
    }
}

static bool
ends_with_goto (const struct annotation *a, const struct annotated_block *b, const struct map *map)
{
  const struct map_block *m = b->block ? b->block->map : NULL;
  if (!m || !(m->shape & BBP_BLOCK_OUT) || b->ninstructions == 0)
    return false;
  for (size_t i = 0; i < m->ncalls; i++)
    if (map->calls[m->first_call + i].kind & BBP_CALL_TAIL)
      return false;
  const struct instruction *last = &a->instructions[b->first + b->ninstructions - 1].code;
  return last->kind == INSTRUCTION_JUMP && last->target == 0;
}

/* How control comes from outside to a block that is not the first.  The map does not tell; the code
   does. */
static enum edge_kind
kind_from_outside (const struct annotation *a, const struct map *map)
{
  for (size_t i = 0; i < a->nblocks; i++)
    if (ends_with_goto (a, &a->blocks[i], map))
      return EDGE_GOTO;
  for (size_t i = 0; i < a->ninstructions; i++)
    if (a->instructions[i].code.kind == INSTRUCTION_CALL
        && strstr (a->instructions[i].code.text, "setjmp"))
      return EDGE_LONGJMP;
  return EDGE_EXCEPTION;
}

/* For each edge: 1 + block or 0 (outside of the function), the same where it leads to, executions,
   kind. */
static void
put_edges (FILE *out, const struct annotation *a, const struct page_code *c)
{
  const struct map *map = &c->view->blocks.map;
  enum edge_kind outside = kind_from_outside (a, map);
  fprintf (out, ",\"enters\":%d,\"edges\":\"", outside);
  for (size_t i = 0; i < a->nblocks; i++)
    if (a->blocks[i].block)
      {
        const struct map_block *m = a->blocks[i].block->map;
        const struct edge *edges;
        size_t n = edges_to (&c->model->edges, a->blocks[i].start, &edges);
        for (size_t k = 0; k < n; k++)
          if (!block_number (a, edges[k].from))
            put_edge (out, 0, i + 1, edges[k].count,
                      m && &map->blocks[m->function] != m ? outside : EDGE_ENTRY);
        put_edges_from (out, a, c, i);
      }
  fputc ('"', out);
}

/* For each loop that ran: its head's block, entries, iterations, depth. */
static void
put_loops (FILE *out, const struct annotation *a, const struct page_code *c)
{
  fputs (",\"loops\":\"", out);
  for (size_t i = 0; i < c->jumps.nrows; i++)
    {
      const struct jumps_loop *l = &c->jumps.rows[i];
      size_t head = block_number (a, l->head->start);
      if (head == 0)
        continue;
      web_number (out, head - 1);
      web_number (out, l->entered);
      web_number (out, l->iterations);
      web_number (out, l->loop->depth);
    }
  fputc ('"', out);
}

/* The number of an instruction's text.  Where the page knows what a jump leads to, the text ends
   in front of that. */
static uint64_t
text_number (struct page_code *c, const struct annotation *a, struct instruction *code)
{
  size_t number = 0;
  char *target = code->kind == INSTRUCTION_BRANCH || code->kind == INSTRUCTION_JUMP
                     ? strstr (code->text, "0x")
                     : NULL;
  if (target && instruction_number (a, code->target))
    {
      while (target > code->text && target[-1] == ' ')
        target--;
      *target = '\0';
    }
  c->page->ok = c->page->ok && web_names_number (&c->texts, code->text, &number);
  return number;
}

/* For each instruction: bytes, kind, text, 1 + line or 0, 1 + executions or 0, thousandths of
   samples, 1 + the block that a branch leads to or 0, 1 + the instruction that a jump leads to or
   0. */
static void
put_instructions (struct page_code *c, struct annotation *a)
{
  FILE *out = c->page->out;
  fputs (",\"instructions\":\"", out);
  for (size_t i = 0; i < a->ninstructions && !a->lines_only; i++)
    {
      struct annotated_instruction *is = &a->instructions[i];
      size_t line = a->origins[is->origin].line;
      uint64_t to = is->way ? is->way : is->code.kind == INSTRUCTION_CALL ? 0 : is->code.target;
      web_number (out, is->code.size);
      web_number (out, is->code.kind);
      web_number (out, text_number (c, a, &is->code));
      web_number (out, line == ANNOTATE_NONE ? 0 : line + 1);
      put_count (out, is->count);
      put_samples (out, is->samples);
      web_number (out, block_number (a, is->way));
      web_number (out, instruction_number (a, to));
    }
  fputc ('"', out);
}

/* Source. */

/* For each line with code: file, line, 1 + executions or 0, thousandths of samples. */
static void
put_lines (struct page_code *c, const struct annotation *a)
{
  FILE *out = c->page->out;
  fputs (",\"lines\":\"", out);
  for (size_t i = 0; i < a->nlines; i++)
    {
      web_number (out, page_text (c->page, a->lines[i].file));
      web_number (out, a->lines[i].line);
      put_count (out, a->lines[i].count);
      put_samples (out, a->lines[i].samples);
    }
  fputc ('"', out);
}

static bool
is_in_range (const struct annotation *a, const struct annotated_line *line, unsigned first)
{
  return line->line >= first && line->line <= a->high && strcmp (line->file, a->file) == 0;
}

/* The text of the function's lines, from FIRST on; then of the others with code in it. */
static void
put_text (struct page_code *c, const struct annotation *a, unsigned first)
{
  FILE *out = c->page->out;
  fputs (",\"text\":[", out);
  for (unsigned i = first; i <= a->high; i++)
    {
      fputs (i > first ? "," : "", out);
      json_string_in_html (out, source_line (&c->source, a->file, i));
    }
  fputs ("],\"others\":[", out);
  const char *between = "";
  for (size_t i = 0; i < a->nlines; i++)
    if (!is_in_range (a, &a->lines[i], first))
      {
        fputs (between, out);
        json_string_in_html (out, source_line (&c->source, a->lines[i].file, a->lines[i].line));
        between = ",";
      }
  fputc (']', out);
  c->bytes += LINE_BYTES * (size_t) (a->high - first);
  c->page->choice->sources++;
}

static void
put_source (struct page_code *c, const struct annotation *a)
{
  if (!a->file)
    return;
  bool wanted = c->page->choice->source != SOURCE_NONE, found = source_exists (&c->source, a->file);
  unsigned first = wanted && found && !a->lines_only ? source_head (&c->source, a->file, a->low)
                                                     : a->low;
  fprintf (c->page->out, ",\"file\":%" PRIu64 ",\"first\":%u,\"last\":%u",
           page_text (c->page, a->file), first, a->high);
  put_lines (c, a);
  if (wanted && found)
    put_text (c, a, first);
  else if (wanted)
    fputs (",\"missing\":true", c->page->out);
}

/* Functions. */

static void
put_head (struct page_code *c, const struct found *found)
{
  const char *between = "";
  fputs ("{\"functions\":[", c->page->out);
  for (size_t i = 0; i < found->count; i++)
    {
      size_t symbol = (size_t) (found->symbols[i] - c->model->symtab.symbols);
      c->done[symbol] = true;
      if (c->functions[symbol] == 0)
        continue;
      fprintf (c->page->out, "%s%" PRIu32, between, c->functions[symbol] - 1);
      between = ",";
    }
  fputc (']', c->page->out);
}

static void
put_code (struct page_code *c, struct annotation *a)
{
  FILE *out = c->page->out;
  fputs (",\"pieces\":[", out);
  for (size_t i = 0; i < a->npieces; i++)
    fprintf (out, "%s[%zu,%" PRIu64 "]", i > 0 ? "," : "", a->pieces[i].nblocks,
             a->pieces[i].entries.known ? a->pieces[i].entries.executions + 1 : 0);
  fputc (']', out);
  put_source (c, a);
  put_instructions (c, a);
  c->bytes += INSTRUCTION_BYTES * a->ninstructions;
  put_blocks (out, a, c);
  put_edges (out, a, c);
  put_loops (out, a, c);
}

/* The function around SYMBOL; where its code cannot be had, the reason. */
static void
put_function (struct page_code *c, uint32_t symbol, const char *between)
{
  char what[24];
  struct error why;
  struct found found = { 0 };
  const struct symbol *s = &c->model->symtab.symbols[symbol];
  snprintf (what, sizeof what, "0x%" PRIx64, s->address);
  if (!array_grow (&c->all, c->count, &c->room, sizeof *c->all))
    {
      c->page->ok = false;
      return;
    }
  struct annotation *a = &c->all[c->count++];
  *a = (struct annotation) { 0 };
  bool ok = annotate_find (&found, what, NULL, c->model, &c->view->blocks, &why)
            && annotate (a, c->model, &c->view->blocks, &found, &why);
  if (found.count == 0)
    ok = false;
  fputs (between, c->page->out);
  put_head (c, &found);
  c->done[symbol] = true;
  if (ok)
    put_code (c, a);
  else
    {
      fputs (",\"why\":", c->page->out);
      json_string_in_html (c->page->out, why.text);
    }
  fputc ('}', c->page->out);
  found_free (&found);
}

/* Is the page to have one more function, if those in it have SUM of ALL? */
static bool
wants_more (const struct page_code *c, double sum, double all)
{
  if (c->page->choice->source == SOURCE_ALL)
    return true;
  return (sum < all * HOT_PERCENT / 100 || c->count < HOT_LEAST) && c->count < HOT_MOST
         && c->bytes < HOT_BYTES;
}

/* Writes the functions that have most, by WEIGHTS. */
static void
put_most (struct page_code *c, double *weights)
{
  size_t n = c->model->symtab.count;
  double all = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    {
      c->order[i] = (uint32_t) i;
      all += weights[i];
    }
  if (!array_sort (c->order, n, sizeof *c->order, compare_weights, weights))
    c->page->ok = false;
  for (size_t i = 0; c->page->ok && i < n && weights[c->order[i]] > 0 && wants_more (c, sum, all);
       i++)
    {
      uint32_t symbol = c->order[i];
      sum += weights[symbol];
      if (!c->done[symbol] && c->functions[symbol] > 0
          && has_code (&c->model->symtab.symbols[symbol]))
        put_function (c, symbol, c->count > 0 ? ",\n" : "");
    }
}

static void
put_all (struct page_code *c)
{
  const struct model *m = c->model;
  FILE *out = c->page->out;
  static const char *const words[] = { "hot", "all", "none" };
  const struct profile *p = &m->profile;
  fprintf (out, ",\n\"source\":\"%s\",\"sampleTime\":%.3f,\"edgesKnown\":%s,\"withCode\":[",
           words[c->page->choice->source],
           p->nhistograms > 0 && p->letter == 's' && p->rate > 0 ? 1e9 / p->rate : 0.0,
           m->edges.count > 0 ? "true" : "false");
  for (size_t i = 0; i < m->objects.count; i++)
    fprintf (out, "%s%d", i > 0 ? "," : "",
             (object_is_file (&m->objects.all[i]) && m->objects.all[i].image.bfd)
                 || languages_at (&m->stacks.languages, m->objects.all[i].base));
  fputs ("],\n\"code\":[", out);
  put_most (c, c->ticks);
  put_most (c, c->executions);
  fputs ("],\n\"instructions\":", out);
  web_names_print (out, &c->texts);
}

static bool
find_loops (struct page_code *c)
{
  struct error err;
  return jumps_open (&c->jumps, c->model, &err)
         && jumps_collect (&c->jumps, &(struct jumps_choice) { .sort = JUMPS_BY_FUNCTION }, &err);
}

void
page_code (struct page_data *p)
{
  size_t n = p->view->model->symtab.count + 1;
  struct page_code c = { .page = p,
                         .view = p->view,
                         .model = p->view->model,
                         .source = { .places = p->choice->places },
                         .ticks = calloc (n, sizeof *c.ticks),
                         .executions = calloc (n, sizeof *c.executions),
                         .functions = calloc (n, sizeof *c.functions),
                         .done = calloc (n, sizeof *c.done),
                         .order = calloc (n, sizeof *c.order) };
  p->ok = p->ok && c.ticks && c.executions && c.functions && c.done && c.order && find_loops (&c);
  if (p->ok)
    {
      add_time (&c);
      put_all (&c);
    }
  for (size_t i = 0; i < c.count; i++)
    annotate_free (&c.all[i]);
  free (c.all);
  free (c.ticks);
  free (c.executions);
  free (c.functions);
  free (c.done);
  free (c.order);
  web_names_free (&c.texts);
  source_free (&c.source);
  jumps_free (&c.jumps);
}
