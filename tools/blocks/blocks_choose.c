/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/blocks/blocks_emit.h"

/* Sorted by executions, most first, then by address. */
static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct block *x = ((const struct block_row *) a)->block,
                     *y = ((const struct block_row *) b)->block;
  (void) context;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

bool
blocks_choose (struct block_table *t, size_t most, struct error *err)
{
  const struct blocks *b = t->blocks;
  t->rows = calloc (b->executed + 1, sizeof *t->rows);
  if (!t->rows)
    return error_no_memory (err);
  size_t n = 0;
  for (size_t i = 0; i < b->count; i++)
    if (b->blocks[i].count != 0)
      t->rows[n++].block = &b->blocks[i];
  if (!array_sort (t->rows, n, sizeof *t->rows, compare_rows, NULL))
    return error_no_memory (err);
  t->nrows = n < most ? n : most;
  for (size_t i = 0; i < t->nrows; i++)
    t->many_objects |= t->rows[i].block->object && !object_is_executable (t->rows[i].block->object);

  for (size_t i = 0; i < t->nrows; i++)
    if (!block_row_describe (&t->rows[i], t->model))
      return error_no_memory (err);
  return true;
}

void
blocks_choose_free (struct block_table *t)
{
  for (size_t i = 0; i < t->nrows; i++)
    free (t->rows[i].function);
  free (t->rows);
}
