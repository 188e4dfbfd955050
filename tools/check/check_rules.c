/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/arguments/name_choice.h"
#include "tools/check/check_rules.h"

/* Cases of a rule. */

/* Why RULE cannot be judged on DIFF at all, or null. */
static const char *
find_obstacle (const struct diff *d, const struct budget_rule *rule)
{
  if (!d->has[rule->metric])
    switch (rule->metric)
      {
      case METRIC_EXECUTIONS: return "a profile has no block counts";
      case METRIC_CALLS: return "a profile has no call counts";
      case METRIC_WORK: return "a profile has no call counts, or no block counts";
      default: return "a profile has no time";
      }
  if (rule->metric != METRIC_TIME && d->before->incomplete)
    return d->before->inexact;
  return rule->metric != METRIC_TIME && d->now->incomplete ? d->now->inexact : NULL;
}

/* Does F have PERCENT of the executions, or without executions, of the time? */
static bool
is_hot (const struct run_set *s, const struct run_set_function *f, double percent)
{
  struct sampled own = run_set_sampled (s, f), all = run_set_sampled (s, &s->total);
  return s->has_executions
             ? 100 * (double) f->executions.sum >= percent * (double) s->total.executions.sum
             : 100 * sampled_sum (&own) >= percent * sampled_sum (&all);
}

/* CHOICE: for a rule that names functions. */
static bool
is_about (const struct diff *d, const struct diff_row *r, const struct budget_rule *rule,
          const struct name_choice *choice)
{
  bool added = diff_is_added (d, r);
  if (rule->metric == METRIC_WORK && (r->before->calls.sum == 0 || r->now->calls.sum == 0))
    return false; /* the number of its calls is unknown */
  if (rule->scope == BUDGET_HOT)
    return !added && is_hot (d->before, r->before, rule->part);
  /* A percentage needs a value in the base. */
  return !(added && rule->kind == BUDGET_PERCENT)
         && name_choice_is (choice, diff_symbol (d, r), r->name);
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
  struct name_choice choice;
  bool ok = true;
  if (c->rule->scope == BUDGET_TOTAL)
    return add_case (c, &d->total);
  name_choice_begin (&choice, c->rule->pattern);
  for (size_t i = 0; c->rule->scope == BUDGET_FUNCTION && i < d->count; i++)
    name_choice_consider (&choice, diff_symbol (d, &d->rows[i]), d->rows[i].name);
  for (size_t i = 0; ok && i < d->count; i++)
    ok = !is_about (d, &d->rows[i], c->rule, &choice) || add_case (c, &d->rows[i]);
  name_choice_free (&choice);
  return ok;
}

static void
decide (struct check_rule *c)
{
  for (size_t i = 0; i < c->ncases; i++)
    {
      c->over += c->cases[i].verdict == CHECK_OVER;
      c->unproven += c->cases[i].verdict == CHECK_NOT_PROVEN;
    }
  if (!c->why && c->ncases == 0 && c->rule->scope == BUDGET_FUNCTION)
    c->why = "no function in the base with the needed counts matches";
  c->verdict = c->over > 0       ? CHECK_OVER
               : c->why          ? CHECK_UNSURE
               : c->unproven > 0 ? CHECK_NOT_PROVEN
                                 : CHECK_WITHIN;
}

/* Number of functions with executions (or else calls) that vary between the base's runs. */
static size_t
count_varying (const struct run_set *base)
{
  size_t n = 0;
  for (const struct run_set_function *f = base->functions; f; f = f->hh.next)
    n += run_set_count_varies (base->has_executions ? &f->executions : &f->calls);
  return n;
}

bool
check_make (struct check *check, const struct diff *d, const struct budget *b, bool strict)
{
  *check = (struct check) { .diff = d,
                            .rules = calloc (b->count + 1, sizeof *check->rules),
                            .strict = strict,
                            .varying = count_varying (d->before) };
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
    }
  if (!check_judge (check))
    return false;
  for (size_t i = 0; i < check->count; i++)
    {
      struct check_rule *c = &check->rules[i];
      decide (c);
      check->over += c->verdict == CHECK_OVER;
      check->unproven += c->verdict == CHECK_NOT_PROVEN;
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
