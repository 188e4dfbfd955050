/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "common/array.h"
#include "gprof-compat/source_lines.h"

static int
compare_lines (const void *a, const void *b, void *context)
{
  const struct symbol *symbols = context;
  const struct symbol *x = &symbols[((const struct source_line *) a)->symbol];
  const struct symbol *y = &symbols[((const struct source_line *) b)->symbol];
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* Makes a line for each symbol; returns their number. */
static size_t
collect (struct source_line *lines, const struct report *r)
{
  const struct symtab *t = &r->model.symtab;
  size_t n = 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (t->symbols[i].source != NO_SOURCE && specs_want (r->specs, INCL_ANNO, i))
      lines[n++] = (struct source_line) { .number = t->symbols[i].line,
                                          .symbol = i,
                                          .calls = r->graph.nodes[i].calls };
  return n;
}

bool
source_lines_make (struct source_lines *s, const struct report *r, struct error *err)
{
  const struct symtab *t = &r->model.symtab;
  s->all = malloc ((t->count + 1) * sizeof *s->all);
  s->first = malloc ((t->nsources + 1) * sizeof *s->first);
  if (!s->all || !s->first)
    return error_no_memory (err);
  size_t count = collect (s->all, r), n = 0, next = 0;
  if (!array_sort (s->all, count, sizeof *s->all, compare_lines, t->symbols))
    return error_no_memory (err);
  for (uint32_t source = 0; source < t->nsources; source++)
    {
      s->first[source] = n;
      for (; next < count && t->symbols[s->all[next].symbol].source == source; next++)
        if (n > s->first[source] && s->all[n - 1].number == s->all[next].number)
          {
            s->all[n - 1].calls += s->all[next].calls;
            s->all[n - 1].several = true;
          }
        else
          s->all[n++] = s->all[next];
    }
  s->first[t->nsources] = n;
  return true;
}

void
source_lines_free (struct source_lines *s)
{
  free (s->all);
  free (s->first);
}
