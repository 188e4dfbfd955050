/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges each case of a check.  Counts that are equal in all runs of the base are judged
   exactly.  Counts that vary there are judged by rank, and times by their samples: both by
   statistical tests.  The tests of all rules form one family. */
#include <stdlib.h>

#include "tools/check/check_rules.h"

/* The limit of the metric, per run; for percentages computed from the base. */
static double
limit_of (const struct diff *d, const struct diff_row *r, const struct budget_rule *rule)
{
  double before = diff_value (d->before, r->before, rule->metric);
  if (rule->kind == BUDGET_PERCENT)
    return before * (1 + (double) rule->growth / 1e8);
  return rule->kind == BUDGET_MORE && before > 0 ? before + rule->limit : rule->limit;
}

/* Counts.  */

static bool
is_count_above (const struct diff *d, const struct diff_row *r, const struct budget_rule *rule)
{
  struct fraction before = diff_fraction_of (d->before, r->before, rule->metric);
  struct fraction now = diff_fraction_of (d->now, r->now, rule->metric);
  if (rule->kind == BUDGET_PERCENT)
    return fraction_is_above (now, before, rule->growth);
  long double most = rule->limit;
  if (rule->kind == BUDGET_MORE && before.divisor > 0)
    most += (long double) before.sum / before.divisor;
  return (long double) now.sum > most * now.divisor;
}

/* The range of single runs of F.  For quotients the single values are not kept: these are bounds
   for all runs. */
struct range {
  double least, most;
};

static struct range
range_of (const struct run_set_function *f, enum metric m)
{
  const struct run_set_count *x = m == METRIC_CALLS ? &f->calls : &f->executions;
  struct range range = { (double) x->least, (double) x->most };
  if (m == METRIC_WORK)
    {
      range.least /= f->calls.most > 0 ? (double) f->calls.most : 1;
      range.most /= f->calls.least > 0 ? (double) f->calls.least : 1;
    }
  return range;
}

/* Random variation of a count has no known distribution: one run may have twice the executions
   of all others because a thread was interrupted at a bad moment.  The rank is a safe criterion:
   each run of the new set is above all runs of the base, and above the budget. */
static double
count_probability (const struct diff *d, const struct check_case *c, const struct budget_rule *rule)
{
  struct range before = range_of (c->row->before, rule->metric),
               now = range_of (c->row->now, rule->metric);
  double limit = rule->kind == BUDGET_PERCENT ? before.most * (1 + (double) rule->growth / 1e8)
                                              : before.most + rule->limit;
  return now.least > limit ? significance_of_separation (d->before->runs, d->now->runs) : 1;
}

/* An absolute limit is judged exactly, even if the count varies. */
static void
prepare_count (const struct diff *d, struct check_case *c, const struct budget_rule *rule,
               double *p)
{
  const struct run_set_function *f = c->row->before;
  bool executions = rule->metric != METRIC_CALLS, calls = rule->metric != METRIC_EXECUTIONS;
  c->varies = (executions && run_set_count_varies (&f->executions))
              || (calls && run_set_count_varies (&f->calls));
  c->tested = c->varies && rule->kind != BUDGET_MOST;
  *p = c->tested ? count_probability (d, c, rule) : 1;
}

static enum check_verdict
judge_count (const struct diff *d, const struct check_case *c, const struct budget_rule *rule)
{
  if (!is_count_above (d, c->row, rule))
    return CHECK_WITHIN;
  if (!c->tested || c->p < rule->p)
    return CHECK_OVER;
  bool seen = diff_value (d->now, c->row->now, rule->metric)
              <= range_of (c->row->before, rule->metric).most;
  return seen ? CHECK_WITHIN : CHECK_NOT_PROVEN;
}

/* Times.  */

static void
prepare_time (const struct diff *d, struct check_case *c, const struct budget_rule *rule, double *p)
{
  struct sampled before = run_set_sampled (d->before, c->row->before),
                 now = run_set_sampled (d->now, c->row->now);
  double seconds = sampled_seconds (&before);
  c->tested = c->row->tested;
  if (rule->kind == BUDGET_PERCENT)
    *p = significance_of_growth (&before, &now, 1 + (double) rule->growth / 1e8);
  else if (rule->kind == BUDGET_MORE && seconds > 0)
    *p = significance_of_growth (&before, &now, (seconds + rule->limit) / seconds);
  else
    *p = significance_of_excess (&now, rule->limit);
}

/* ALONE: the rule has this case only.  Among many functions, those with too few samples are
   skipped. */
static enum check_verdict
judge_time (const struct diff *d, const struct check_case *c, const struct budget_rule *rule,
            bool alone)
{
  if (c->tested && c->p < rule->p)
    return CHECK_OVER;
  bool above = diff_value (d->now, c->row->now, METRIC_TIME) > limit_of (d, c->row, rule);
  return above && (c->tested || alone) ? CHECK_NOT_PROVEN : CHECK_WITHIN;
}

/* All cases. */

static void
prepare (const struct diff *d, struct check_case *c, const struct budget_rule *rule, double *p)
{
  (rule->metric == METRIC_TIME ? prepare_time : prepare_count) (d, c, rule, p);
}

static void
judge (const struct diff *d, struct check_rule *r)
{
  for (size_t i = 0; i < r->ncases; i++)
    r->cases[i].verdict = r->rule->metric == METRIC_TIME
                              ? judge_time (d, &r->cases[i], r->rule, r->ncases == 1)
                              : judge_count (d, &r->cases[i], r->rule);
}

bool
check_judge (struct check *check)
{
  size_t n = 0, k = 0;
  for (size_t i = 0; i < check->count; i++)
    n += check->rules[i].ncases;
  double *p = malloc ((n + 1) * sizeof *p);
  if (!p)
    return false;
  n = 0;
  for (size_t i = 0; i < check->count; i++)
    for (size_t j = 0; j < check->rules[i].ncases; j++)
      {
        prepare (check->diff, &check->rules[i].cases[j], check->rules[i].rule, &p[n]);
        n += check->rules[i].cases[j].tested;
      }
  bool ok = significance_adjust (p, n);
  for (size_t i = 0; ok && i < check->count; i++)
    {
      for (size_t j = 0; j < check->rules[i].ncases; j++)
        if (check->rules[i].cases[j].tested)
          check->rules[i].cases[j].p = p[k++];
      judge (check->diff, &check->rules[i]);
    }
  free (p);
  return ok;
}
