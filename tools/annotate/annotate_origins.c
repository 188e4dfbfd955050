/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the origins of an annotation's instructions. */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/annotate/annotate.h"

enum { MOST_FRAMES = 64 };

static int
compare_text (const char *a, const char *b)
{
  return a == b ? 0 : strcmp (a, b);
}

static int
compare_frames (const struct srcline *a, const struct srcline *b)
{
  int files = compare_text (a->file, b->file);
  if (files != 0)
    return files;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return compare_text (a->function, b->function);
}

/* Compares from the outermost frame inwards, without the OUT innermost frames. */
static int
compare_chains (const struct annotated_origin *x, size_t out_x, const struct annotated_origin *y,
                size_t out_y)
{
  size_t nx = x->nframes, ny = y->nframes;
  while (nx > out_x && ny > out_y)
    {
      int order = compare_frames (&x->frames[--nx], &y->frames[--ny]);
      if (order != 0)
        return order;
    }
  return nx > out_x ? 1 : ny > out_y ? -1 : 0;
}

static int
compare_origins (const void *a, const void *b, void *context)
{
  const struct annotated_origin *origins = context;
  return compare_chains (&origins[*(const size_t *) a], 0, &origins[*(const size_t *) b], 0);
}

/* Finds an origin for each instruction; equal to the one before if nothing else is known. */
static bool
look_up (struct annotation *a)
{
  const struct annotated_piece *piece = a->pieces;
  for (size_t i = 0; i < a->ninstructions; i++)
    {
      struct annotated_instruction *is = &a->instructions[i];
      struct srcline frames[MOST_FRAMES];
      while (is->block >= piece->first_block + piece->nblocks)
        piece++;
      size_t n = srcline_of_symbol (piece->symbol, is->code.address, frames, MOST_FRAMES);
      n = n <= MOST_FRAMES ? n : 0;
      struct annotated_origin *before = a->norigins ? &a->origins[a->norigins - 1] : NULL;
      struct annotated_origin here = { .frames = frames, .nframes = n };
      if (!before || compare_chains (before, 0, &here, 0) != 0)
        {
          if (!array_grow (&a->origins, a->norigins, &a->room_origins, sizeof *a->origins))
            return false;
          before = &a->origins[a->norigins];
          *before = (struct annotated_origin) { .frames = malloc ((n + 1) * sizeof *frames),
                                                .nframes = n,
                                                .line = ANNOTATE_NONE };
          if (!before->frames)
            return false;
          memcpy (before->frames, frames, n * sizeof *frames);
          a->norigins++;
        }
      is->origin = a->norigins - 1;
    }
  return true;
}

/* Merges equal origins. */
static bool
unite (struct annotation *a)
{
  size_t *order = malloc ((a->norigins + 1) * sizeof *order),
         *become = malloc ((a->norigins + 1) * sizeof *become);
  struct annotated_origin *origins = malloc ((a->norigins + 1) * sizeof *origins);
  bool ok = order && become && origins;
  size_t n = 0;
  for (size_t i = 0; ok && i < a->norigins; i++)
    order[i] = i;
  ok = ok && array_sort (order, a->norigins, sizeof *order, compare_origins, a->origins);
  for (size_t i = 0; ok && i < a->norigins; i++)
    {
      struct annotated_origin *p = &a->origins[order[i]];
      bool new = n == 0 || compare_chains (&origins[n - 1], 0, p, 0) != 0;
      if (new)
        origins[n++] = *p;
      else
        free (p->frames);
      become[order[i]] = n - 1;
    }
  for (size_t i = 0; ok && i < a->ninstructions; i++)
    a->instructions[i].origin = become[a->instructions[i].origin];
  free (order);
  free (become);
  if (!ok)
    free (origins);
  else
    {
      free (a->origins);
      a->origins = origins;
      a->norigins = n;
    }
  return ok;
}

/* The line of the first instruction of SYMBOL's outermost function; false: unknown. */
static bool
first_line (const struct symbol *symbol, struct srcline *line)
{
  struct srcline frames[MOST_FRAMES];
  size_t n = srcline_of_symbol (symbol, symbol->address, frames, MOST_FRAMES);
  if (n == 0 || n > MOST_FRAMES)
    return false;
  *line = frames[n - 1];
  return true;
}

/* Is it a part, or a copy, of a function? */
static bool
is_part (const struct symbol *symbol)
{
  return !symbol->file && strchr (symbol->name, '.');
}

/* The nearest lines before and behind LINE in which other functions of the file begin; the
   function around LINE is between them. */
static void
find_neighbours (const struct annotation *a, unsigned line, unsigned *from, unsigned *to)
{
  const struct symtab *t = &a->model->symtab;
  struct srcline other;
  *from = 0;
  *to = UINT_MAX;
  for (size_t i = 0; i < t->count; i++)
    if (t->symbols[i].object == a->pieces[0].symbol->object && !is_part (&t->symbols[i])
        && first_line (&t->symbols[i], &other) && compare_text (other.file, a->file) == 0)
      {
        if (other.line < line && other.line > *from)
          *from = other.line;
        if (other.line > line && other.line < *to)
          *to = other.line;
      }
}

/* Chooses what is shown: a whole file, or the lines of the function.  The compiler may have
   merged code of two functions, of which one was inlined and comes from elsewhere: lines inside
   other functions are left out.  Functions of languages stand in each other. */
static void
choose_range (struct annotation *a, const struct found *f)
{
  a->low = 1;
  a->high = UINT_MAX;
  a->file = f->file;
  if (f->file || a->every_line)
    return;
  struct srcline begin = { 0 };
  unsigned from = 0, to = UINT_MAX;
  for (size_t i = 0; i < a->npieces && (!begin.file || is_part (a->pieces[i - 1].symbol)); i++)
    first_line (a->pieces[i].symbol, &begin);
  a->file = begin.file;
  if (!a->file)
    return;
  if (!a->lines_only)
    find_neighbours (a, begin.line, &from, &to);
  a->low = a->high = begin.line;
  for (size_t i = 0; i < a->norigins; i++)
    {
      const struct annotated_origin *p = &a->origins[i];
      const struct srcline *own = p->nframes > 0 ? &p->frames[p->nframes - 1] : NULL;
      if (!own || compare_text (own->file, a->file) != 0 || own->line <= from || own->line >= to)
        continue;
      a->low = own->line < a->low ? own->line : a->low;
      a->high = own->line > a->high ? own->line : a->high;
    }
}

static bool
is_shown (const struct annotation *a, const struct srcline *frame)
{
  return a->every_line
         || (compare_text (frame->file, a->file) == 0 && frame->line >= a->low
             && frame->line <= a->high);
}

/* Sorts FILE's lines first, then by file and number. */
static int
compare_lines (const void *x, const void *y, void *context)
{
  const struct annotation *a = context;
  const struct annotated_line *p = x, *q = y;
  bool first_p = a->file && compare_text (p->file, a->file) == 0,
       first_q = a->file && compare_text (q->file, a->file) == 0;
  if (first_p != first_q)
    return first_p ? -1 : 1;
  int files = compare_text (p->file, q->file);
  if (files != 0)
    return files;
  return p->line < q->line ? -1 : p->line > q->line;
}

static size_t
find_line (const struct annotation *a, const struct srcline *frame)
{
  struct annotated_line line = { .file = frame->file, .line = frame->line };
  size_t low = 0, high = a->nlines;
  while (low + 1 < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_lines (&a->lines[middle], &line, (void *) a) <= 0)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* Origins are in the order of their frames, the outermost first: those with equal outer frames
   lie side by side. */
static bool
number_copies (struct annotation *a)
{
  uint64_t copies[MOST_FRAMES], next = 0;
  const struct annotated_origin *before = NULL;
  for (size_t i = 0; i < a->norigins; before = &a->origins[i++])
    {
      struct annotated_origin *p = &a->origins[i];
      size_t same = 0;
      while (before && same < before->nframes && same < p->nframes
             && compare_frames (&before->frames[before->nframes - 1 - same],
                                &p->frames[p->nframes - 1 - same])
                    == 0)
        same++;
      p->levels = malloc ((p->nframes + 1) * sizeof *p->levels);
      if (!p->levels)
        return false;
      for (size_t k = 0; k < p->nframes; k++)
        {
          copies[k] = k < same ? copies[k] : next++;
          p->levels[p->nframes - 1 - k]
              = (struct annotated_level) { .line = ANNOTATE_NONE, .copy = copies[k] };
        }
    }
  return true;
}

static bool
make_lines (struct annotation *a)
{
  for (size_t i = 0; i < a->norigins; i++)
    {
      struct annotated_origin *p = &a->origins[i];
      if (p->nframes == 0)
        continue;
      p->depth = 0;
      while (p->depth + 1 < p->nframes && !is_shown (a, &p->frames[p->depth]))
        p->depth++;
      for (size_t k = p->depth; k <= annotate_last_depth (a, p); k++)
        {
          if (!array_grow (&a->lines, a->nlines, &a->room_lines, sizeof *a->lines))
            return false;
          a->lines[a->nlines++]
              = (struct annotated_line) { .file = p->frames[k].file, .line = p->frames[k].line };
        }
    }
  if (!array_sort (a->lines, a->nlines, sizeof *a->lines, compare_lines, a))
    return false;
  size_t n = 0;
  for (size_t i = 1; i < a->nlines; i++)
    if (compare_lines (&a->lines[n], &a->lines[i], a) != 0)
      a->lines[++n] = a->lines[i];
  a->nlines = a->nlines ? n + 1 : 0;
  for (size_t i = 0; i < a->norigins; i++)
    {
      struct annotated_origin *p = &a->origins[i];
      if (p->nframes == 0)
        continue;
      for (size_t k = p->depth; k <= annotate_last_depth (a, p); k++)
        p->levels[k].line = find_line (a, &p->frames[k]);
      p->line = p->levels[p->depth].line;
    }
  return true;
}

/* Sorts the instructions by line. */
static bool
fill_lines (struct annotation *a)
{
  size_t *next = calloc (a->nlines + 2, sizeof *next);
  a->by_line = malloc ((a->ninstructions + 1) * sizeof *a->by_line);
  for (size_t i = 0; next && i < a->ninstructions; i++)
    {
      size_t line = a->origins[a->instructions[i].origin].line;
      next[(line == ANNOTATE_NONE ? a->nlines : line) + 1]++;
    }
  for (size_t i = 0; next && i < a->nlines; i++)
    {
      a->lines[i].first = next[i];
      a->lines[i].ninstructions = next[i + 1];
      next[i + 1] += next[i];
    }
  for (size_t i = 0; next && a->by_line && i < a->ninstructions; i++)
    {
      size_t line = a->origins[a->instructions[i].origin].line;
      a->by_line[next[line == ANNOTATE_NONE ? a->nlines : line]++] = i;
    }
  bool ok = next && a->by_line;
  free (next);
  return ok;
}

bool
annotate_origins (struct annotation *a, const struct found *f)
{
  if (!look_up (a) || !unite (a))
    return false;
  choose_range (a, f);
  return number_copies (a) && make_lines (a) && fill_lines (a);
}
