/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "common/array.h"
#include "model/elf/functions.h"

bool
functions_add (struct functions *f, const struct function *new)
{
  if (!array_grow (&f->list, f->count, &f->room, sizeof *f->list))
    return false;
  f->list[f->count++] = *new;
  return true;
}

static int
compare (const void *a, const void *b, void *context)
{
  const struct function *x = a, *y = b;
  (void) context;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return !x->name - !y->name;
}

bool
functions_sort (struct functions *f)
{
  return array_sort (f->list, f->count, sizeof *f->list, compare, NULL);
}

void
functions_free (struct functions *f)
{
  free (f->list);
  *f = (struct functions) { 0 };
}

size_t
functions_from (const struct functions *f, uint64_t address)
{
  return ARRAY_BEFORE (i, f->count, f->list[i].start < address);
}
