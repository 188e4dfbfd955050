/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "common/array.h"
#include "gprof-compat/symbol_blocks.h"

static int
compare_dates (const void *a, const void *b, void *context)
{
  const struct execution *x = a, *y = b;
  (void) context;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Copies the blocks of SYMBOL from the profile, from number *NEXT on, and advances *NEXT.  Where
   symbols overlap, the block belongs to the symbol that begins last. */
static bool
add_symbol (struct symbol_blocks *b, size_t *n, const struct profile *p, size_t *next,
            const struct symbol *symbol, uint64_t next_symbol)
{
  struct execution *mine = b->all + *n;
  size_t count = 0;
  while (*next < p->nexecutions && p->executions[*next].address < symbol->address)
    ++*next;
  for (; *next < p->nexecutions && p->executions[*next].address < next_symbol; ++*next)
    if (p->executions[*next].address <= symbol->end)
      mine[count++] = p->executions[*next];
  if (!array_sort (mine, count, sizeof *mine, compare_dates, NULL))
    return false;
  *n += count < SYMBOL_BLOCKS_MOST ? count : SYMBOL_BLOCKS_MOST;
  return true;
}

bool
symbol_blocks_make (struct symbol_blocks *b, const struct report *r, struct error *err)
{
  const struct symtab *t = &r->model.symtab;
  const struct profile *p = &r->model.profile;
  size_t n = 0, next = r->options->lines ? 0 : p->nexecutions;
  b->all = malloc ((p->nexecutions + 1) * sizeof *b->all);
  b->first = malloc ((t->count + 1) * sizeof *b->first);
  bool ok = b->all && b->first;
  for (size_t i = 0; ok && i < t->count; i++)
    {
      b->first[i] = n;
      ok = add_symbol (b, &n, p, &next, &t->symbols[i],
                       i + 1 < t->count ? t->symbols[i + 1].address : UINT64_MAX);
    }
  if (!ok)
    return error_no_memory (err);
  b->first[t->count] = n;
  return true;
}

void
symbol_blocks_free (struct symbol_blocks *b)
{
  free (b->all);
  free (b->first);
}
