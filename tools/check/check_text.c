/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/visible.h"
#include "tools/check/check_emit.h"
#include "tools/view/plural.h"

enum { MOST_NAMED = 5 }; /* functions named on the page */
#define MANY 1000

/* Prints up to so many decimals, without trailing zeros. */
static void
print_decimals (FILE *out, bool sign, int most, double value)
{
  char text[400];
  int n = snprintf (text, sizeof text, sign ? "%+.*f" : "%.*f", most, value);
  while (strchr (text, '.') && (text[n - 1] == '0' || text[n - 1] == '.'))
    text[--n] = '\0';
  fputs (text, out);
}

/* Means of large counts are shown without fractions. */
static void
print_value (FILE *out, double value, enum metric m)
{
  if (m == METRIC_TIME)
    fprintf (out, "%.3f s", value);
  else
    print_decimals (out, false, value < MANY ? 3 : 1, value);
}

/* A percentage just over a limit is shown with enough digits; rules have millionths of a
   percent. */
static void
print_percent (FILE *out, double percent)
{
  const double size = fabs (percent);
  if (size > 0 && size < 0.000001)
    fprintf (out, " (%c<0.000001%%)", percent > 0 ? '+' : '-');
  else
    {
      fputs (" (", out);
      print_decimals (out, true, size >= MANY ? 0 : size >= 10 ? 2 : size >= 0.01 ? 4 : 6, percent);
      fputs ("%)", out);
    }
}

/* The count of a case, or the numerator of its quotient. */
static const struct run_set_count *
count_of (const struct run_set_function *f, enum metric m)
{
  return m == METRIC_CALLS ? &f->calls : &f->executions;
}

void
check_case_text (FILE *out, const struct check *check, const struct check_rule *c,
                 const struct check_case *is)
{
  const struct diff *d = check->diff;
  enum metric m = c->rule->metric;
  double before = diff_value (d->before, is->row->before, m),
         now = diff_value (d->now, is->row->now, m);
  fprintf (out, "%s: %s ", is->row->name ? visible (is->row->name) : "total", metric_names[m]);
  print_value (out, now, m);
  fputs (", before ", out);
  print_value (out, before, m);
  if (before > 0)
    print_percent (out, diff_percent (d, is->row, m));
  if (is->varies)
    fprintf (out, "; varies between runs: %" PRIu64 " to %" PRIu64 " in %zu runs",
             count_of (is->row->before, m)->least, count_of (is->row->before, m)->most,
             d->before->runs);
  if (is->tested)
    fprintf (out, is->p < 0.0001 ? "; p < 0.0001" : "; p %.4f", is->p);
  else if (m == METRIC_TIME)
    fputs ("; too few samples", out);
}

/* Prints the cases that are over or not proven (of the total, all), at most MOST of each. */
static void
print_cases (FILE *out, const struct check *check, const struct check_rule *c, size_t most)
{
  size_t over = 0, unproven = 0;
  for (size_t i = 0; i < c->ncases; i++)
    {
      bool is_unproven = c->cases[i].verdict == CHECK_NOT_PROVEN;
      size_t *n = is_unproven ? &unproven : &over;
      if ((c->rule->scope != BUDGET_TOTAL && c->cases[i].verdict != CHECK_OVER && !is_unproven)
          || (*n)++ >= most)
        continue;
      fputs (is_unproven ? "            not proven: " : "            ", out);
      check_case_text (out, check, c, &c->cases[i]);
      fputc ('\n', out);
    }
  if (over > most)
    fprintf (out, "            and %zu more\n", over - most);
  if (unproven > most)
    fprintf (out, "            not proven: and %zu more\n", unproven - most);
}

static void
print_rule (FILE *out, const struct check *check, const struct check_rule *c, size_t most,
            const struct style *style)
{
  static const char *const words[] = { [CHECK_WITHIN] = "within",
                                       [CHECK_NOT_PROVEN] = "not proven",
                                       [CHECK_UNSURE] = "UNSURE",
                                       [CHECK_OVER] = "OVER" };
  bool good = c->verdict == CHECK_WITHIN || (c->verdict == CHECK_NOT_PROVEN && !check->strict);
  style_put (style, out, good ? RELIEF : ALARM);
  fprintf (out, "%-10s", words[c->verdict]);
  style_put (style, out, PLAIN);
  fprintf (out, " %s", visible (c->rule->text));
  if (c->verdict == CHECK_UNSURE)
    fprintf (out, ": cannot be judged: %s", visible (c->why));
  else if (c->rule->scope != BUDGET_TOTAL)
    fprintf (out, ": %zu of %zu function%s over", c->over, c->ncases, plural (c->ncases));
  if (c->rule->scope != BUDGET_TOTAL && c->unproven > 0)
    fprintf (out, ", %zu not proven", c->unproven);
  fputc ('\n', out);
  print_cases (out, check, c, most);
}

static void
print_run_set (FILE *out, const char *word, const struct run_set *s)
{
  fprintf (out, "%-10s %s, %zu run%s%s%s\n", word, visible (s->program), s->runs,
           s->runs == 1 ? "" : "s", s->inexact ? "; NOT EXACT: " : "", visible (s->inexact));
}

/* Says which counts vary and how they are judged, or that this is unknown. */
static void
print_varying (FILE *out, const struct check *check)
{
  const struct run_set *base = check->diff->before;
  size_t named = 0;
  if (base->runs == 1 && check->over > 0 && check->varying == 0)
    fputs (
        "one run of the base does not show which counts vary between runs: use --save --runs 5\n",
        out);
  if (check->varying == 0)
    return;
  fprintf (out, "%-10s between runs: %zu function%s", "varies", check->varying,
           check->varying == 1 ? "" : "s");
  for (const struct run_set_function *f = base->functions; f && named < MOST_NAMED; f = f->hh.next)
    if (run_set_count_varies (base->has_executions ? &f->executions : &f->calls))
      fprintf (out, "%s%s", named++ ? ", " : ": ", visible (f->symbol));
  fputs (check->varying > named ? ", ...\n" : "\n", out);
}

void
check_emit_text (FILE *out, const struct check *check, size_t most, const struct style *style)
{
  print_run_set (out, "base", check->diff->before);
  print_run_set (out, "new", check->diff->now);
  print_varying (out, check);
  for (size_t i = 0; i < check->count; i++)
    print_rule (out, check, &check->rules[i], most, style);
  fprintf (out, "%zu rule%s: %zu within, %zu over, %zu not proven, %zu cannot be judged\n",
           check->count, plural (check->count),
           check->count - check->over - check->unproven - check->unsure, check->over,
           check->unproven, check->unsure);
}
