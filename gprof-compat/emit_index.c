/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index: names in alphabetical order, each with the number of its entry in the call graph. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/row.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/name.h"
#include "model/symbols/srcline.h"

/* The columns: numbers end at INDEX_END, names begin behind. */
enum { COLUMNS = 3, INDEX_END = 6 };

/* By the linker's name; cycles last. */
static int
compare_names (const void *a, const void *b, void *context)
{
  const struct node *x = *(const struct node *const *) a, *y = *(const struct node *const *) b;
  (void) context;
  if (node_is_cycle (x) || node_is_cycle (y))
    return node_is_cycle (x) - node_is_cycle (y);
  return strcmp (x->symbol->name, y->symbol->name);
}

/* Prints the file of a static function, because several may have its name. */
static int
print_file (FILE *out, const struct report *r, const struct symbol *s)
{
  struct srcline line;
  if (!s->is_static || r->options->lines || r->options->symbols_file
      || !srcline_find (s->object, s->address, &line))
    return 0;
  return fprintf (out, " (%s)",
                  name_shown (r, r->options->full_paths ? line.file : srcline_base (line.file)));
}

/* As BSD's gprof does. */
static int
print_old_entry (FILE *out, const struct node *n)
{
  char index[16], cycle[32];
  snprintf (index, sizeof index, n->shown ? "[%" PRIu32 "]" : "(%" PRIu32 ")", n->index);
  snprintf (cycle, sizeof cycle, "<cycle %" PRIu32 ">", n->cycle);
  return fprintf (out, "%6.6s %-19.19s", index, node_is_cycle (n) ? cycle : n->symbol->name);
}

/* Prints N's number and name in COLUMN of a line that has POSITION characters already.  Returns
   the new position. */
static int
print_entry (FILE *out, const struct report *r, const struct node *n, int column, int position)
{
  int step = (r->options->width - 1) / COLUMNS + 2;
  if (r->options->traditional)
    return print_old_entry (out, n);

  struct row row;
  row_begin (&row);
  const int blanks = column * step + INDEX_END - position - row_digits (n->index) - 2;
  if (blanks > ROW_LINE) /* --width may be anything */
    fprintf (out, "%*s", blanks, "");
  else
    row_blanks (&row, blanks > 1 ? blanks : 1);
  row_text (&row, n->shown ? "[" : "(");
  row_number (&row, 0, n->index);
  row_text (&row, n->shown ? "] " : ") ");
  position += (int) row.size + (blanks > ROW_LINE ? blanks : 0);
  row_print (&row, out);
  if (node_is_cycle (n))
    return position + fprintf (out, "<cycle %" PRIu32 ">", n->cycle);
  position += name_print_symbol (out, r, n->symbol);
  return position + print_file (out, r, n->symbol);
}

static void
print_table (FILE *out, const struct report *r, const struct node **entries, uint32_t count)
{
  uint32_t rows = (count + COLUMNS - 1) / COLUMNS;
  for (uint32_t row = 0; row < rows; row++)
    {
      int position = 0;
      for (int column = 0; column < COLUMNS; column++)
        {
          uint64_t i = row + (uint64_t) column * rows;
          if (i < count)
            position = print_entry (out, r, entries[i], column, position);
        }
      fputc ('\n', out);
    }
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  const struct callgraph *g = &r->graph;
  const struct node **entries = malloc (((size_t) g->nnodes + 1) * sizeof *entries);
  uint32_t count = 0;
  if (!entries)
    return error_no_memory (err);
  fputs ("Index by function name\n\n", out);
  for (uint32_t i = 0; i < g->nnodes; i++)
    {
      const struct node *n = &g->nodes[i];
      if (node_is_cycle (n) || n->calls != 0 || n->time != 0 || r->options->unused)
        entries[count++] = n;
    }
  bool ok = array_sort (entries, count, sizeof *entries, compare_names, NULL);
  if (ok)
    print_table (out, r, entries, count);
  free (entries);
  return ok || error_no_memory (err);
}

const struct emitter emit_index = { .body = body };
