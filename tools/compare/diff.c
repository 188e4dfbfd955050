/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/compare/diff.h"

enum {
  ENOUGH_SAMPLES = 10
  /* samples in both run sets; with fewer, even the largest difference is not significant among
   many functions */
};

/* Values. */

struct fraction
diff_fraction_of (const struct run_set *s, const struct run_set_function *f, enum metric m)
{
  if (m == METRIC_WORK)
    return (struct fraction) { f->executions.sum, f->calls.sum };
  return (struct fraction) { m == METRIC_CALLS ? f->calls.sum : f->executions.sum, s->runs };
}

double
diff_value (const struct run_set *s, const struct run_set_function *f, enum metric m)
{
  struct sampled sampled = run_set_sampled (s, f);
  if (m == METRIC_TIME)
    return sampled_seconds (&sampled);
  struct fraction value = diff_fraction_of (s, f, m);
  return value.divisor ? (double) value.sum / (double) value.divisor : NAN;
}

bool
diff_is_same (const struct diff *d, const struct diff_row *r, enum metric m)
{
  if (!d->has[m])
    return true;
  if (m == METRIC_TIME)
    return r->p >= DIFF_SIGNIFICANT;
  struct fraction before = diff_fraction_of (d->before, r->before, m),
                  now = diff_fraction_of (d->now, r->now, m);
  if (before.divisor == 0 || now.divisor == 0)
    return true;
  return !fraction_is_above (now, before, 0) && !fraction_is_above (before, now, 0);
}

double
diff_percent (const struct diff *d, const struct diff_row *r, enum metric m)
{
  double before = diff_value (d->before, r->before, m), now = diff_value (d->now, r->now, m);
  return before == now ? 0 : 100 * (now - before) / before;
}

/* Rows.  */

static void
compare_times (const struct diff *d, struct diff_row *r)
{
  struct sampled before = run_set_sampled (d->before, r->before),
                 now = run_set_sampled (d->now, r->now);
  r->p = 1;
  if (!d->has[METRIC_TIME])
    return;
  r->time = significance_of (&before, &now);
  r->tested = sampled_sum (&before) + sampled_sum (&now) >= ENOUGH_SAMPLES;
}

static bool
add_row (struct diff *d, const struct run_set_function *before, const struct run_set_function *now)
{
  static const struct image no_image;
  const char *symbol = before == &d->before->none ? now->symbol : before->symbol;
  struct diff_row *r = &d->rows[d->count++];
  *r = (struct diff_row) { .before = before,
                           .now = now,
                           .name = demangle_name (&no_image, symbol) };
  compare_times (d, r);
  return r->name || (r->name = strdup (symbol));
}

static bool
add_rows (struct diff *d)
{
  d->rows = calloc (HASH_COUNT (d->before->functions) + HASH_COUNT (d->now->functions) + 1,
                    sizeof *d->rows);
  bool ok = d->rows != NULL;
  for (const struct run_set_function *f = d->before->functions; ok && f; f = f->hh.next)
    ok = add_row (d, f, run_set_find (d->now, f));
  for (const struct run_set_function *f = d->now->functions; ok && f; f = f->hh.next)
    ok = run_set_find (d->before, f) != &d->before->none || add_row (d, &d->before->none, f);
  return ok;
}

/* The total is not corrected as one more test: it covers all the others. */
static bool
adjust_times (struct diff *d)
{
  double *p = malloc ((d->count + 1) * sizeof *p);
  size_t n = 0;
  for (size_t i = 0; p && i < d->count; i++)
    if (d->rows[i].tested)
      p[n++] = d->rows[i].time.p;
  bool ok = p && significance_adjust (p, n);
  n = 0;
  for (size_t i = 0; ok && i < d->count; i++)
    if (d->rows[i].tested)
      d->rows[i].p = p[n++];
  free (p);
  return ok;
}

bool
diff_make (struct diff *d, const struct run_set *before, const struct run_set *now)
{
  *d = (struct diff) { .before = before,
                       .now = now,
                       .total = { .before = &before->total, .now = &now->total } };
  d->has[METRIC_EXECUTIONS] = before->has_executions && now->has_executions;
  d->has[METRIC_CALLS] = before->has_calls && now->has_calls;
  d->has[METRIC_WORK] = d->has[METRIC_EXECUTIONS] && d->has[METRIC_CALLS];
  d->has[METRIC_TIME] = before->rate > 0 && now->rate > 0;
  compare_times (d, &d->total);
  if (d->total.tested)
    d->total.p = d->total.time.p;
  return add_rows (d) && adjust_times (d) && diff_make_arcs (d);
}

void
diff_free (struct diff *d)
{
  for (size_t i = 0; i < d->count; i++)
    free (d->rows[i].name);
  free (d->rows);
  diff_free_arcs (d);
  memset (d, 0, sizeof *d);
}

/* Choice and order. */

const char *
diff_symbol (const struct diff *d, const struct diff_row *r)
{
  return diff_is_added (d, r) ? r->now->symbol : r->before->symbol;
}

static bool
is_chosen (const struct diff *d, const struct diff_row *r, const struct diff_choice *c)
{
  if (!r->matches)
    return false;
  for (int m = 0; m < METRICS; m++)
    if (!diff_is_same (d, r, m) && fabs (diff_percent (d, r, m)) >= c->threshold)
      return true;
  return false;
}

/* How much the row changes the total.  For work: the number of executions that it adds or
   removes. */
static double
effect (const struct diff *d, const struct diff_row *r, enum metric m)
{
  if (m == METRIC_TIME && r->p >= DIFF_SIGNIFICANT)
    return 0;
  double change = diff_value (d->now, r->now, m) - diff_value (d->before, r->before, m);
  if (m == METRIC_WORK)
    change *= diff_value (d->now, r->now, METRIC_CALLS);
  return isnan (change) ? 0 : fabs (change);
}

static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct diff_order *o = context;
  const struct diff_row *x = a, *y = b;
  bool chosen = is_chosen (o->diff, x, o->choice);
  if (chosen != is_chosen (o->diff, y, o->choice))
    return chosen ? -1 : 1;
  for (int i = 0; i < METRICS; i++) /* by the chosen metric first, then by the others */
    {
      enum metric m = (enum metric) (((int) o->choice->order + i) % METRICS);
      double first = effect (o->diff, x, m), second = effect (o->diff, y, m);
      if (first != second)
        return first > second ? -1 : 1;
    }
  return strcmp (x->name, y->name);
}

/* A library has no path here, and its name has no version. */
static bool
is_in_object (const struct diff_choice *c, const struct run_set *s,
              const struct run_set_function *f)
{
  const char *path = *f->object ? f->object : s->program, *slash = strrchr (path, '/');
  return object_choice_is (c->object, slash ? slash + 1 : path, path);
}

bool
diff_is_meant (const struct diff_choice *c, const struct name_choice *choice,
               const struct run_set *s, const struct run_set_function *f, const char *name)
{
  return is_in_object (c, s, f) && (!choice || name_choice_is (choice, f->symbol, name));
}

/* The function of a row, and its run set. */
static const struct run_set_function *
function_of (const struct diff *d, const struct diff_row *r, const struct run_set **s)
{
  bool added = diff_is_added (d, r);
  *s = added ? d->now : d->before;
  return added ? r->now : r->before;
}

/* Sorts the rows and counts those that are chosen.  False: no memory. */
static bool
choose (struct diff *d, const struct diff_choice *c, const struct name_choice *choice)
{
  for (size_t i = 0; i < d->count; i++)
    {
      const struct run_set *of;
      const struct run_set_function *f = function_of (d, &d->rows[i], &of);
      d->rows[i].matches = diff_is_meant (c, choice, of, f, d->rows[i].name);
    }
  if (!array_sort (d->rows, d->count, sizeof *d->rows, compare_rows, &(struct diff_order) { d, c }))
    return false;
  d->chosen = 0;
  while (d->chosen < d->count && is_chosen (d, &d->rows[d->chosen], c))
    d->chosen++;
  d->shown = d->chosen < c->most ? d->chosen : c->most;
  return diff_choose_arcs (d, c, choice);
}

/* Considers the functions of the chosen objects; returns their number. */
static size_t
consider (const struct diff *d, const struct diff_choice *c, struct name_choice *choice)
{
  size_t n = 0;
  for (size_t i = 0; i < d->count; i++)
    {
      const struct run_set *s;
      const struct run_set_function *f = function_of (d, &d->rows[i], &s);
      if (!is_in_object (c, s, f))
        continue;
      n++;
      if (c->pattern)
        name_choice_consider (choice, f->symbol, d->rows[i].name);
    }
  return n;
}

bool
diff_choose (struct diff *d, const struct diff_choice *c, struct error *err)
{
  struct name_choice choice;
  bool ok;
  name_choice_begin (&choice, c->pattern);
  if (consider (d, c, &choice) == 0 && c->object)
    ok = object_choice_refuse (c->object, err);
  else if (c->pattern && choice.best == PATTERN_NOT)
    ok = name_choice_refuse (&choice, "function", err);
  else
    ok = choose (d, c, c->pattern ? &choice : NULL) || error_no_memory (err);
  name_choice_free (&choice);
  return ok;
}
