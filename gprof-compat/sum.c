/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "array.h"
#include "gmon_write.h"
#include "sum.h"

static void
write_histograms (const struct gmon_writer *w, const struct profile *p)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    gmon_write_histogram (w, p, &p->histograms[i]);
}

/* From symbol to symbol, but for those that only stand in the code. */
static void
write_calls (const struct gmon_writer *w, const struct callgraph *g)
{
  for (uint32_t n = 0; n < g->nsymbols; n++)
    for (uint32_t i = g->first_child[n]; i < g->first_child[n + 1]; i++)
      {
        const struct arc *a = &g->arcs[g->children[i]];
        if (g->children[i] < g->nrecorded)
          gmon_write_call (w, g->nodes[n].symbol->address, g->nodes[a->child].symbol->address, a->count);
      }
}

/* In the order in which the files named them. */
static int
compare_dates (const void *a, const void *b, void *context)
{
  const struct execution *x = a, *y = b;
  (void) context;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Those that belong to a symbol, symbol by symbol: of each the first named come first, because GNU gprof keeps ten of a line. */
static bool
write_executions (const struct gmon_writer *w, const struct profile *p, const struct symtab *t)
{
  struct execution *list = malloc ((p->nexecutions + 1) * sizeof *list);
  size_t n = 0, start = 0;
  bool ok = list != NULL;
  const struct symbol *last = NULL;
  for (size_t i = 0; ok && i < p->nexecutions; i++)
    {
      const struct symbol *s = symtab_find (t, p->executions[i].address);
      if (!s)
        continue;
      if (s != last)
        {
          ok = array_sort (list + start, n - start, sizeof *list, compare_dates, NULL);
          start = n;
          last = s;
        }
      list[n++] = p->executions[i];
    }
  ok = ok && array_sort (list + start, n - start, sizeof *list, compare_dates, NULL);
  if (ok)
    gmon_write_executions (w, list, n);
  free (list);
  return ok;
}

static bool
write_records (struct output *o, const struct report *r, struct error *err)
{
  const struct model *m = &r->model;
  struct gmon_shape shape = gmon_shape_of (model_program (m));
  struct gmon_writer w = { .output = o, .shape = &shape };
  gmon_write_header (&w, 0);
  write_histograms (&w, &m->profile);
  write_calls (&w, &r->graph);
  return !m->profile.has_executions || write_executions (&w, &m->profile, &m->symtab) || error_no_memory (err);
}

bool
sum_write (const struct report *r, const char *file, struct error *err)
{
  struct output o;
  bool ok = output_open (&o, file, "", err) && write_records (&o, r, err) && output_finish (&o, err)
            && output_publish (&o, err);
  output_close (&o);
  return ok;
}
