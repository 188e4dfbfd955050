/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index: names in the order of the alphabet, with the number of their entry in the call graph. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "emit.h"
#include "name.h"
#include "srcline.h"

/* Where the columns are on a line of 80 characters: the numbers end at INDEX_END, the names begin behind. */
enum { WIDTH = 80, COLUMNS = 3, COLUMN_STEP = (WIDTH - 1) / COLUMNS + 2, INDEX_END = 6 };

/* By name, as the linker knows them; cycles last. */
static int
compare_names (const void *a, const void *b, void *context)
{
  const struct node *x = *(const struct node *const *) a, *y = *(const struct node *const *) b;
  (void) context;
  if (node_is_cycle (x) || node_is_cycle (y))
    return node_is_cycle (x) - node_is_cycle (y);
  return strcmp (x->symbol->name, y->symbol->name);
}

/* Prints N's number and name in COLUMN, when POSITION characters of the line are there; the new position. */
static int
print_entry (FILE *out, const struct report *r, const struct node *n, int column, int position)
{
  char index[16];
  snprintf (index, sizeof index, n->shown ? "[%" PRIu32 "]" : "(%" PRIu32 ")", n->index);
  int blanks = column * COLUMN_STEP + INDEX_END - position - (int) strlen (index);
  position += fprintf (out, "%*s%s ", blanks > 1 ? blanks : 1, "", index);
  if (node_is_cycle (n))
    return position + fprintf (out, "<cycle %" PRIu32 ">", n->cycle);

  struct srcline line;
  position += name_print (out, model_program (&r->model), n->symbol->name);
  if (n->symbol->is_static && srcline_find (n->symbol->object, n->symbol->address, &line))
    position += fprintf (out, " (%s)", srcline_base (line.file));
  return position;
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
body (FILE *out, const struct report *r, struct error *err)
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
