/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -C: executions of each function, and of each basic block of a line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/name.h"
#include "gprof-compat/symbol_blocks.h"

/* By file, line and address if both symbols have a file, else by address.  This is not a
   consistent order, so the steps of the sort are part of the result. */
static int
compare_sources (const void *a, const void *b, void *context)
{
  const struct symtab *t = context;
  const struct symbol *x = &t->symbols[*(const uint32_t *) a],
                      *y = &t->symbols[*(const uint32_t *) b];
  if (x->source != NO_SOURCE && y->source != NO_SOURCE)
    {
      if (x->source != y->source)
        return strcmp (t->sources[x->source], t->sources[y->source]);
      if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    }
  return x->address < y->address ? -1 : x->address > y->address;
}

/* The symbols to show, *N of them; null: out of memory. */
static uint32_t *
sort_symbols (const struct report *r, size_t *n)
{
  const struct symtab *t = &r->model.symtab;
  uint32_t *sorted = malloc ((t->count + 1) * sizeof *sorted);
  if (!sorted)
    return NULL;
  *n = 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (specs_want (r->specs, INCL_EXEC, i))
      sorted[(*n)++] = i;
  if (array_sort (sorted, *n, sizeof *sorted, compare_sources, (void *) t))
    return sorted;
  free (sorted);
  return NULL;
}

static void
print_line (FILE *out, const struct report *r, const struct symbol *s, uint64_t address,
            uint64_t count)
{
  const char *file = s->source == NO_SOURCE ? "<unknown>" : r->model.symtab.sources[s->source];
  if (count != 0 || r->options->unused)
    fprintf (out, "%s:%u: (%s:0x%" PRIx64 ") %" PRIu64 " executions\n", name_shown (r, file),
             s->line, name_shown (r, s->name), address, count);
}

static void
print_all (FILE *out, const struct report *r, const uint32_t *sorted, size_t nsorted,
           const struct symbol_blocks *blocks)
{
  for (size_t i = 0; i < nsorted; i++)
    {
      uint32_t n = sorted[i];
      const struct symbol *s = &r->model.symtab.symbols[n];
      print_line (out, r, s, s->address, r->graph.nodes[n].calls);
      for (size_t b = blocks->first[n]; b < blocks->first[n + 1]; b++)
        print_line (out, r, s, blocks->all[b].address, blocks->all[b].count);
    }
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  struct symbol_blocks blocks = { 0 };
  size_t nsorted = 0;
  uint32_t *sorted = sort_symbols (r, &nsorted);
  bool ok = sorted ? symbol_blocks_make (&blocks, r, err) : error_no_memory (err);
  if (ok)
    print_all (out, r, sorted, nsorted, &blocks);
  symbol_blocks_free (&blocks);
  free (sorted);
  return ok;
}

const struct emitter emit_counts = { .body = body };
