/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact call graph: how often a function called another one. */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/html/page_data.h"
#include "tools/page/web_numbers.h"

struct page_arc {
  uint64_t caller; /* 1 + function; 0: unknown */
  uint64_t callee, count;
};

/* The function that has the code at ADDRESS as its own, and 1; inlined ones have no arcs of their
   own.  0: unknown. */
static uint64_t
function_at (const struct export_view *v, uint64_t address)
{
  const struct frames_place *p = frames_at (&v->frames, address);
  return p ? 1 + (uint64_t) v->frames.lines[p->first + p->nlines - 1].function : 0;
}

static int
by_functions (const void *a, const void *b, void *context)
{
  const struct page_arc *x = a, *y = b;
  (void) context;
  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* Each pair once.  Returns their number. */
static size_t
unite (struct page_arc *arcs, size_t n)
{
  size_t united = 0;
  for (size_t i = 0; i < n; i++)
    if (united > 0 && by_functions (&arcs[united - 1], &arcs[i], NULL) == 0)
      arcs[united - 1].count += arcs[i].count;
    else
      arcs[united++] = arcs[i];
  return united;
}

/* Counted calls; calls that are estimated from stacks are none. */
static size_t
find (const struct export_view *v, struct page_arc *arcs)
{
  const struct profile *profile = &v->model->profile;
  size_t n = 0;
  for (size_t i = 0; i < profile->ncalls && !v->model->estimated; i++)
    {
      const struct call *call = &profile->calls[i];
      uint64_t callee = function_at (v, call->self);
      if (callee > 0 && call->count > 0)
        arcs[n++] = (struct page_arc) { function_at (v, frames_call_address (v->model, call)),
                                        callee - 1, call->count };
    }
  return n;
}

void
page_arcs (struct page_data *p)
{
  struct page_arc *arcs = malloc ((p->view->model->profile.ncalls + 1) * sizeof *arcs);
  size_t n = arcs ? find (p->view, arcs) : 0;
  p->ok = p->ok && arcs && array_sort (arcs, n, sizeof *arcs, by_functions, NULL);
  n = p->ok ? unite (arcs, n) : 0;
  fputs (",\n\"arcs\":\"", p->out);
  for (size_t i = 0; i < n; i++)
    {
      web_number (p->out, arcs[i].caller);
      web_number (p->out, arcs[i].callee);
      web_number (p->out, arcs[i].count);
    }
  fputc ('"', p->out);
  free (arcs);
}
