/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/blocks/blocks_emit.h"

/* In the order of the table; what is equal there, by executions, then by address. */
static int
compare_rows (const void *a, const void *b, void *context)
{
  const enum blocks_sort *sort = context;
  const struct block *x = ((const struct block_row *) a)->block,
                     *y = ((const struct block_row *) b)->block;
  if (*sort == BLOCKS_BY_SAMPLES && x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (*sort != BLOCKS_BY_FUNCTION && x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

static bool
is_in_object (const struct object *o, const char *pattern)
{
  return !pattern || (o && object_choice_is (pattern, object_name (o), o->path));
}

/* Considers the functions of N rows, or, if KEPT is not null, keeps the rows of those that are
   chosen and counts them. */
static void
go_through (struct block_table *t, size_t n, struct name_choice *choice, size_t *kept)
{
  const struct symbol *before = NULL;
  bool chosen = false;
  for (size_t i = 0; i < n; i++)
    {
      const struct symbol *s = t->rows[i].block->symbol;
      if (s && s != before)
        {
          char *name = demangle_name (model_program (t->model), s->name);
          if (kept)
            chosen = name_choice_is (choice, s->name, name);
          else
            name_choice_consider (choice, s->name, name);
          free (name);
        }
      before = s;
      if (kept && s && chosen)
        t->rows[(*kept)++] = t->rows[i];
    }
}

/* Keeps the rows of functions that match; *N: of how many rows. */
static bool
choose_functions (struct block_table *t, size_t *n, struct error *err)
{
  struct name_choice choice;
  size_t kept = 0;
  if (!t->function)
    return true;
  name_choice_begin (&choice, t->function);
  go_through (t, *n, &choice, NULL);
  go_through (t, *n, &choice, &kept);
  *n = kept;
  bool ok = kept > 0 || name_choice_refuse (&choice, "function that ran", err);
  name_choice_free (&choice);
  return ok;
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
    if (b->blocks[i].count != 0 && is_in_object (b->blocks[i].object, t->object))
      t->rows[n++].block = &b->blocks[i];
  if (n == 0 && t->object)
    return object_choice_refuse (t->object, err);
  if (!choose_functions (t, &n, err))
    return false;
  if (!array_sort (t->rows, n, sizeof *t->rows, compare_rows, &t->sort))
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
