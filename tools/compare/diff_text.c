/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/header.h"
#include "common/visible.h"
#include "tools/compare/diff_emit.h"
#include "tools/view/plural.h"

/* Numbers.  */

void
diff_percent_text (char text[DIFF_PERCENT], double percent, bool same)
{
  if (same)
    strcpy (text, "=");
  else if (isinf (percent) || isnan (percent))
    strcpy (text, "new");
  else if (percent >= 999.5)
    snprintf (text, DIFF_PERCENT, "x%.4g", 1 + percent / 100);
  else if (fabs (percent) < 0.005)
    snprintf (text, DIFF_PERCENT, "%s0.01%%", percent > 0 ? "+<" : "->");
  else
    snprintf (text, DIFF_PERCENT, "%+.2f%%", percent);
}

/* Prints TEXT, a growth by PERCENT; in colour if MARKED. */
static void
print_coloured (FILE *out, const char *text, bool marked, double percent, const struct style *style)
{
  if (marked)
    style_put (style, out, percent > 0 ? ALARM : RELIEF);
  fprintf (out, " %10s", text);
  if (marked)
    style_put (style, out, PLAIN);
}

/* The change of the metric. */
static void
print_percent (FILE *out, const struct diff *d, const struct diff_row *r, enum metric m,
               const struct style *style)
{
  char text[DIFF_PERCENT] = "-";
  bool same = diff_is_same (d, r, m);
  double percent = diff_percent (d, r, m);
  if (d->has[m] && !isnan (percent))
    diff_percent_text (text, percent, same);
  print_coloured (out, text, d->has[m] && !same, percent, style);
}

/* The mean of the runs: an integer where all runs are equal. */
static void
print_mean (FILE *out, struct fraction now, int width)
{
  if (now.divisor == 0)
    fprintf (out, " %*s", width, "-");
  else if (now.sum % now.divisor == 0)
    fprintf (out, " %*" PRIu64, width, now.sum / now.divisor);
  else
    fprintf (out, " %*.1f", width, (double) now.sum / (double) now.divisor);
}

static void
print_change (FILE *out, double change, int width)
{
  fprintf (out, " %+*.*f", width, change == floor (change) ? 0 : 1, change);
}

static void
print_count_change (FILE *out, const struct diff *d, const struct diff_row *r, enum metric m,
                    int width)
{
  if (d->has[m])
    print_change (out, diff_value (d->now, r->now, m) - diff_value (d->before, r->before, m),
                  width);
  else
    fprintf (out, " %*s", width, "-");
}

/* The corrected probability; empty: too few samples. */
static void
print_time (FILE *out, const struct diff *d, const struct diff_row *r, const struct style *style)
{
  if (!d->has[METRIC_TIME])
    {
      fprintf (out, " %9s %10s %7s", "-", "-", "-");
      return;
    }
  fprintf (out, " %9.3f", diff_value (d->now, r->now, METRIC_TIME));
  char text[DIFF_PERCENT] = "-";
  double percent = diff_percent (d, r, METRIC_TIME);
  if (r->tested)
    diff_percent_text (text, percent, percent == 0);
  print_coloured (out, text, !diff_is_same (d, r, METRIC_TIME), percent, style);
  if (r->tested)
    fprintf (out, r->p < 0.0001 ? " <0.0001" : " %7.4f", r->p);
  else
    fprintf (out, " %7s", "-");
}

/* Lines.  */

static void
print_run_set (FILE *out, const char *word, const struct run_set *s)
{
  fprintf (out, "%-8s %s, %zu run%s", word, visible (s->program), s->runs, s->runs == 1 ? "" : "s");
  if (s->build_id)
    fprintf (out, ", build %.12s", s->build_id);
  if (s->inexact)
    fprintf (out, "; NOT EXACT: %s", visible (s->inexact));
  fputc ('\n', out);
}

/* Counts that vary between runs depend on more than the program. */
static void
print_variation (FILE *out, const char *word, const struct run_set *s)
{
  size_t n = 0;
  for (const struct run_set_function *f = s->functions; f; f = f->hh.next)
    n += f->calls.least != f->calls.most || f->executions.least != f->executions.most;
  if (n > 0)
    fprintf (out, "%-8s counts of %zu function%s vary between runs; means are compared\n", word, n,
             plural (n));
}

/* The metrics that S lacks and the other run set has. */
static void
print_lacks (FILE *out, const char *word, const struct run_set *s, const struct run_set *other)
{
  bool executions = other->has_executions && !s->has_executions,
       calls = other->has_calls && !s->has_calls, time = other->rate > 0 && !(s->rate > 0);
  if (!executions && !calls && !time)
    return;
  fprintf (out, "%-8s has no%s%s%s%s%s, so not compared: ", word, executions ? " executions" : "",
           executions && calls ? " and" : "", calls ? " calls" : "",
           time && (executions || calls) ? ", and no" : "", time ? " time" : "");
  fputs (executions || calls ? "count in a program compiled with -pg -fplugin=bbprof\n"
                             : "sample each run in the same way\n",
         out);
}

static void
print_row (FILE *out, const struct diff *d, const struct diff_row *r, const struct style *style)
{
  struct fraction none = { 0 };
  print_mean (
      out, d->has[METRIC_EXECUTIONS] ? diff_fraction_of (d->now, r->now, METRIC_EXECUTIONS) : none,
      15);
  print_count_change (out, d, r, METRIC_EXECUTIONS, 14);
  print_percent (out, d, r, METRIC_EXECUTIONS, style);
  print_count_change (out, d, r, METRIC_CALLS, 13);
  print_percent (out, d, r, METRIC_CALLS, style);
  if (r->name)
    print_percent (out, d, r, METRIC_WORK, style);
  else
    fprintf (out, " %10s", "");
  print_time (out, d, r, style);
  const struct run_set_function *f = diff_is_added (d, r) ? r->now : r->before;
  fprintf (out, "  %s", r->name ? visible (r->name) : "total");
  if (*f->file)
    fprintf (out, " (%s)", visible (f->file));
  if (*f->object)
    fprintf (out, " [%s]", visible (f->object));
  fputs (diff_is_added (d, r) ? ": added\n" : diff_is_removed (d, r) ? ": removed\n" : "\n", out);
}

static void
print_summary (FILE *out, const struct diff *d)
{
  size_t added = 0, removed = 0;
  for (size_t i = 0; i < d->count; i++)
    {
      added += diff_is_added (d, &d->rows[i]);
      removed += diff_is_removed (d, &d->rows[i]);
    }
  fprintf (out, "%zu function%s; added %zu, removed %zu; shown: %zu of %zu that changed\n",
           d->count, plural (d->count), added, removed, d->shown, d->chosen);
}

static void
print_arc (FILE *out, const struct diff *d, const struct diff_arc *a, const struct style *style)
{
  char text[DIFF_PERCENT];
  double percent = diff_arc_percent (d, a);
  diff_percent_text (text, percent, false);
  print_mean (out, diff_arc_calls (d->now, a->now), 15);
  print_change (out, diff_arc_change (d, a), 14);
  print_coloured (out, text, true, percent, style);
  fprintf (out, "  %s -> %s\n", visible (a->caller), visible (a->callee));
}

static void
print_arcs (FILE *out, const struct diff *d, const struct style *style)
{
  if (d->chosen_arcs == 0)
    return;
  fprintf (out, "\n %15s %14s %10s  caller -> callee\n", "calls", "change", "");
  for (size_t i = 0; i < d->shown_arcs; i++)
    print_arc (out, d, &d->arcs[i], style);
  fprintf (out, "shown: %zu of %zu changed arcs\n", d->shown_arcs, d->chosen_arcs);
}

/* A line that says which differences p does not know. */
static void
print_single (FILE *out, const struct diff *d)
{
  if (d->before->runs == 1 && d->now->runs == 1 && d->before->rate > 0 && d->now->rate > 0)
    header_print (out, "p",
                  "is of sampling alone: one run of each does not tell by how much runs differ; "
                  "give the profiles of several");
}

void
diff_emit_text (FILE *out, const struct diff *d, const struct style *style)
{
  print_run_set (out, "old", d->before);
  print_run_set (out, "new", d->now);
  print_variation (out, "old", d->before);
  print_variation (out, "new", d->now);
  print_lacks (out, "old", d->before, d->now);
  print_lacks (out, "new", d->now, d->before);
  print_single (out, d);
  fprintf (out, "\n %15s %14s %10s %13s %10s %10s %9s %10s %7s  %s\n", "executions", "change", "",
           "calls: change", "", "per call", "seconds", "change", "p", "function");
  print_row (out, d, &d->total, style);
  for (size_t i = 0; i < d->shown; i++)
    print_row (out, d, &d->rows[i], style);
  print_summary (out, d);
  print_arcs (out, d, style);
}
