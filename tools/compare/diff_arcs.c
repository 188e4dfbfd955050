/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arcs with a changed count. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/compare/diff.h"

struct fraction
diff_arc_calls (const struct run_set *s, const struct run_set_arc *a)
{
  return (struct fraction) { a ? a->calls.sum : 0, s->runs };
}

double
diff_arc_change (const struct diff *d, const struct diff_arc *a)
{
  struct fraction before = diff_arc_calls (d->before, a->before),
                  now = diff_arc_calls (d->now, a->now);
  return (double) now.sum / (double) now.divisor - (double) before.sum / (double) before.divisor;
}

double
diff_arc_percent (const struct diff *d, const struct diff_arc *a)
{
  struct fraction before = diff_arc_calls (d->before, a->before);
  return 100 * diff_arc_change (d, a) * (double) before.divisor / (double) before.sum;
}

/* The display name of F, allocated. */
static char *
make_name (const struct run_set_function *f)
{
  static const struct image no_image;
  char *name = demangle_name (&no_image, f->symbol);
  return name ? name : strdup (f->symbol);
}

static bool
add_arc (struct diff *d, const struct run_set_arc *before, const struct run_set_arc *now)
{
  struct fraction was = diff_arc_calls (d->before, before), is = diff_arc_calls (d->now, now);
  const struct run_set_ends *ends = before ? &before->ends : &now->ends;
  if (!fraction_is_above (is, was, 0) && !fraction_is_above (was, is, 0))
    return true;
  if (!array_grow (&d->arcs, d->narcs, &d->room_arcs, sizeof *d->arcs))
    return false;
  struct diff_arc *a = &d->arcs[d->narcs++];
  *a = (struct diff_arc) { .before = before,
                           .now = now,
                           .caller = make_name (ends->caller),
                           .callee = make_name (ends->callee) };
  return a->caller && a->callee;
}

bool
diff_make_arcs (struct diff *d)
{
  bool ok = true;
  if (!d->has[METRIC_CALLS])
    return true;
  for (const struct run_set_arc *a = d->before->arcs; ok && a; a = a->hh.next)
    ok = add_arc (d, a, run_set_find_arc (d->now, a));
  for (const struct run_set_arc *a = d->now->arcs; ok && a; a = a->hh.next)
    ok = run_set_find_arc (d->before, a) || add_arc (d, NULL, a);
  return ok;
}

void
diff_free_arcs (struct diff *d)
{
  for (size_t i = 0; i < d->narcs; i++)
    {
      free (d->arcs[i].caller);
      free (d->arcs[i].callee);
    }
  free (d->arcs);
}

static bool
is_chosen (const struct diff *d, const struct diff_arc *a, const struct diff_choice *c)
{
  return a->matches && fabs (diff_arc_percent (d, a)) >= c->threshold;
}

static bool
has_chosen_end (const struct diff *d, const struct diff_arc *a, const struct diff_choice *c,
                const struct name_choice *choice)
{
  const struct run_set *s = a->before ? d->before : d->now;
  const struct run_set_ends *ends = a->before ? &a->before->ends : &a->now->ends;
  return diff_is_meant (c, choice, s, ends->caller, a->caller)
         || diff_is_meant (c, choice, s, ends->callee, a->callee);
}

static int
compare_arcs (const void *a, const void *b, void *context)
{
  const struct diff_order *o = context;
  const struct diff_arc *x = a, *y = b;
  bool chosen = is_chosen (o->diff, x, o->choice);
  if (chosen != is_chosen (o->diff, y, o->choice))
    return chosen ? -1 : 1;
  double first = fabs (diff_arc_change (o->diff, x)), second = fabs (diff_arc_change (o->diff, y));
  if (first != second)
    return first > second ? -1 : 1;
  int order = strcmp (x->caller, y->caller);
  return order ? order : strcmp (x->callee, y->callee);
}

bool
diff_choose_arcs (struct diff *d, const struct diff_choice *c, const struct name_choice *choice)
{
  for (size_t i = 0; i < d->narcs; i++)
    d->arcs[i].matches = has_chosen_end (d, &d->arcs[i], c, choice);
  if (!array_sort (d->arcs, d->narcs, sizeof *d->arcs, compare_arcs, &(struct diff_order) { d, c }))
    return false;
  d->chosen_arcs = 0;
  while (d->chosen_arcs < d->narcs && is_chosen (d, &d->arcs[d->chosen_arcs], c))
    d->chosen_arcs++;
  d->shown_arcs = d->chosen_arcs < c->most ? d->chosen_arcs : c->most;
  return true;
}
