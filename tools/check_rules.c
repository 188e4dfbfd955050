/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check_rules.h"
#include "meant.h"

/* What a rule is about.  */

/* Why DIFF cannot be judged by RULE at all, or null. */
static const char *
find_obstacle (const struct diff *d, const struct budget_rule *rule)
{
  if (!d->has[rule->measure])
    switch (rule->measure)
      {
      case MEASURE_EXECUTIONS:
        return "some profile has no counts of blocks";
      case MEASURE_CALLS:
        return "some profile has no calls";
      case MEASURE_WORK:
        return "some profile has no calls, or no counts of blocks";
      default:
        return "some profile has no time";
      }
  if (rule->measure != MEASURE_TIME && d->before->incomplete)
    return d->before->inexact;
  return rule->measure != MEASURE_TIME && d->now->incomplete ? d->now->inexact : NULL;
}

/* MEANT: of a rule about functions by their names. */
static bool
is_about (const struct diff *d, const struct diff_row *r, const struct budget_rule *rule, const struct meant *meant)
{
  bool added = diff_is_added (d, r);
  if (rule->measure == MEASURE_WORK && (r->before->calls.sum == 0 || r->now->calls.sum == 0))
    return false; /* nobody knows how often it was called */
  if (rule->scope == BUDGET_HOT)
    return !added && 100 * (double) r->before->executions.sum >= rule->part * (double) d->before->total.executions.sum;
  /* There is no percentage of what the base does not have. */
  return !(added && rule->kind == BUDGET_PERCENT)
         && meant_is (meant, diff_symbol (d, r), r->name);
}

static bool
add_case (struct check_rule *c, const struct diff_row *r)
{
  if (!array_grow (&c->cases, c->ncases, &c->room, sizeof *c->cases))
    return false;
  c->cases[c->ncases++] = (struct check_case) { .row = r, .p = 1 };
  return true;
}

static bool
add_cases (struct check_rule *c, const struct diff *d)
{
  struct meant meant;
  bool ok = true;
  if (c->rule->scope == BUDGET_TOTAL)
    return add_case (c, &d->total);
  meant_begin (&meant, c->rule->pattern);
  for (size_t i = 0; c->rule->scope == BUDGET_FUNCTION && i < d->count; i++)
    meant_consider (&meant, diff_symbol (d, &d->rows[i]), d->rows[i].name);
  for (size_t i = 0; ok && i < d->count; i++)
    ok = !is_about (d, &d->rows[i], c->rule, &meant) || add_case (c, &d->rows[i]);
  meant_free (&meant);
  return ok;
}

/* Judging.  */

static bool
is_count_over (const struct diff *d, const struct diff_row *r, const struct budget_rule *rule)
{
  struct fraction before = diff_fraction_of (d->before, r->before, rule->measure);
  struct fraction now = diff_fraction_of (d->now, r->now, rule->measure);
  if (rule->kind == BUDGET_PERCENT)
    return fraction_is_above (now, before, rule->growth);
  long double most = rule->limit;
  if (rule->kind == BUDGET_MORE && before.divisor > 0)
    most += (long double) before.sum / before.divisor;
  return (long double) now.sum > most * now.divisor;
}

/* How likely such a time is if it is within the budget. */
static double
time_probability (const struct diff *d, const struct diff_row *r, const struct budget_rule *rule)
{
  struct sampled before = side_sampled (d->before, r->before), now = side_sampled (d->now, r->now);
  double seconds = sampled_seconds (&before);
  if (rule->kind == BUDGET_PERCENT)
    return significance_of_growth (&before, &now, 1 + (double) rule->growth / 1e8);
  if (rule->kind == BUDGET_MORE && seconds > 0)
    return significance_of_growth (&before, &now, (seconds + rule->limit) / seconds);
  return significance_of_excess (&now, rule->limit);
}

static void
judge_counts (struct check_rule *c, const struct diff *d)
{
  for (size_t i = 0; i < c->ncases; i++)
    c->cases[i].over = is_count_over (d, c->cases[i].row, c->rule);
}

/* All tests of all rules are one family. */
static bool
judge_times (struct check *check)
{
  size_t n = 0, k = 0;
  for (size_t i = 0; i < check->count; i++)
    n += check->rules[i].ncases;
  double *p = malloc ((n + 1) * sizeof *p);
  if (!p)
    return false;
  n = 0;
  for (size_t i = 0; i < check->count; i++)
    for (size_t j = 0; check->rules[i].rule->measure == MEASURE_TIME && j < check->rules[i].ncases; j++)
      {
        struct check_case *c = &check->rules[i].cases[j];
        if ((c->tested = c->row->tested))
          p[n++] = time_probability (check->diff, c->row, check->rules[i].rule);
      }
  bool ok = significance_adjust (p, n);
  for (size_t i = 0; ok && i < check->count; i++)
    for (size_t j = 0; j < check->rules[i].ncases; j++)
      {
        struct check_case *c = &check->rules[i].cases[j];
        if (!c->tested)
          continue;
        c->p = p[k++];
        c->over = c->p < check->rules[i].rule->p;
      }
  free (p);
  return ok;
}

static void
decide (struct check_rule *c)
{
  for (size_t i = 0; i < c->ncases; i++)
    c->over += c->cases[i].over;
  if (!c->why && c->ncases == 0 && c->rule->scope == BUDGET_FUNCTION)
    c->why = "no function of the base that it can be judged by has this name";
  c->verdict = c->over > 0 ? CHECK_OVER : c->why ? CHECK_UNSURE : CHECK_WITHIN;
}

bool
check_make (struct check *check, const struct diff *d, const struct budget *b)
{
  *check = (struct check) { .diff = d, .rules = calloc (b->count + 1, sizeof *check->rules) };
  if (!check->rules)
    return false;
  check->count = b->count;
  for (size_t i = 0; i < b->count; i++)
    {
      struct check_rule *c = &check->rules[i];
      c->rule = &b->rules[i];
      c->why = find_obstacle (d, c->rule);
      if (!c->why && !add_cases (c, d))
        return false;
      if (c->rule->measure != MEASURE_TIME)
        judge_counts (c, d);
    }
  if (!judge_times (check))
    return false;
  for (size_t i = 0; i < check->count; i++)
    {
      struct check_rule *c = &check->rules[i];
      decide (c);
      check->over += c->verdict == CHECK_OVER;
      check->unsure += c->verdict == CHECK_UNSURE;
      if (c->verdict > check->verdict)
        check->verdict = c->verdict;
    }
  return true;
}

void
check_free (struct check *check)
{
  for (size_t i = 0; i < check->count; i++)
    free (check->rules[i].cases);
  free (check->rules);
  memset (check, 0, sizeof *check);
}
