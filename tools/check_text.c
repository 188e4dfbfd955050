/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "check_emit.h"
#include "visible.h"

static void
print_value (FILE *out, double value, enum measure m)
{
  if (m == MEASURE_TIME)
    fprintf (out, "%.3f s", value);
  else
    fprintf (out, "%.*f", value == floor (value) ? 0 : 3, value);
}

void
check_case_text (FILE *out, const struct check *check, const struct check_rule *c, const struct check_case *is)
{
  const struct diff *d = check->diff;
  enum measure m = c->rule->measure;
  double before = diff_value (d->before, is->row->before, m), now = diff_value (d->now, is->row->now, m);
  fprintf (out, "%s: %s ", is->row->name ? visible (is->row->name) : "total", measure_names[m]);
  print_value (out, now, m);
  fputs (", before ", out);
  print_value (out, before, m);
  if (before > 0)
    fprintf (out, " (%+.5g%%)", diff_percent (d, is->row, m)); /* one that is just over a limit shows that */
  if (m == MEASURE_TIME && is->tested)
    fprintf (out, is->p < 0.0001 ? "; p < 0.0001" : "; p %.4f", is->p);
  else if (m == MEASURE_TIME)
    fputs ("; too few samples", out);
}

static void
print_rule (FILE *out, const struct check *check, const struct check_rule *c, const struct style *style)
{
  static const char *const words[] = { [CHECK_WITHIN] = "within", [CHECK_UNSURE] = "UNSURE", [CHECK_OVER] = "OVER" };
  style_put (style, out, c->verdict == CHECK_WITHIN ? RELIEF : ALARM);
  fprintf (out, "%-7s", words[c->verdict]);
  style_put (style, out, PLAIN);
  fprintf (out, " %s", visible (c->rule->text));
  if (c->verdict == CHECK_UNSURE)
    fprintf (out, ": cannot tell: %s\n", visible (c->why));
  else if (c->rule->scope != BUDGET_TOTAL)
    fprintf (out, ": %zu of %zu functions over\n", c->over, c->ncases);
  else
    fputc ('\n', out);
  for (size_t i = 0; i < c->ncases; i++)
    if (c->cases[i].over || c->rule->scope == BUDGET_TOTAL)
      {
        fputs ("          ", out);
        check_case_text (out, check, c, &c->cases[i]);
        fputc ('\n', out);
      }
}

static void
print_side (FILE *out, const char *word, const struct side *s)
{
  fprintf (out, "%-7s %s, %zu run%s%s%s\n", word, visible (s->program), s->runs, s->runs == 1 ? "" : "s", s->inexact ? "; NOT EXACT: " : "",
           visible (s->inexact));
}

void
check_emit_text (FILE *out, const struct check *check, const struct style *style)
{
  print_side (out, "base", check->diff->before);
  print_side (out, "new", check->diff->now);
  for (size_t i = 0; i < check->count; i++)
    print_rule (out, check, &check->rules[i], style);
  fprintf (out, "%zu rules: %zu within, %zu over, %zu cannot be told\n", check->count, check->count - check->over - check->unsure,
           check->over, check->unsure);
}
