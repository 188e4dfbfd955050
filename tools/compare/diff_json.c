/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>
#include <math.h>

#include "tools/compare/diff_emit.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

/* Null for infinity and NaN, which JSON does not have. */
static void
print_number (FILE *out, const char *name, double number)
{
  if (isfinite (number))
    fprintf (out, "\"%s\": %.9g", name, number);
  else
    fprintf (out, "\"%s\": null", name);
}

static void
print_run_set (FILE *out, const char *name, const struct run_set *s)
{
  fprintf (out, "  \"%s\": {\"program\": ", name);
  json_string (out, s->program);
  fputs (", \"build_id\": ", out);
  json_string (out, s->build_id);
  fprintf (out, ", \"runs\": %zu, ", s->runs);
  print_number (out, "samples_per_second", s->rate > 0 ? s->rate : NAN);
  fputs (", \"inexact\": ", out);
  json_string (out, s->inexact);
  fputs ("},\n", out);
}

static void
print_count (FILE *out, const char *name, const struct run_set_count *c)
{
  fprintf (out, "\"%s\": {\"sum\": %" PRIu64 ", \"least\": %" PRIu64 ", \"most\": %" PRIu64 "}",
           name, c->sum, c->least, c->most);
}

/* Counts over all runs of both run sets, and the change of the mean. */
static void
print_counts (FILE *out, const struct diff *d, const struct diff_row *r, enum metric m)
{
  fprintf (out, ", \"%s\": ", metric_names[m]);
  if (!d->has[m])
    {
      fputs ("null", out);
      return;
    }
  fputc ('{', out);
  print_count (out, "old", m == METRIC_CALLS ? &r->before->calls : &r->before->executions);
  fputs (", ", out);
  print_count (out, "new", m == METRIC_CALLS ? &r->now->calls : &r->now->executions);
  fprintf (out, ", \"same\": %s, ", diff_is_same (d, r, m) ? "true" : "false");
  print_number (out, "change",
                diff_value (d->now, r->now, m) - diff_value (d->before, r->before, m));
  fputs (", ", out);
  print_number (out, "change_percent", diff_percent (d, r, m));
  fputc ('}', out);
}

static void
print_work (FILE *out, const struct diff *d, const struct diff_row *r)
{
  fputs (", \"work\": ", out);
  if (!d->has[METRIC_WORK])
    {
      fputs ("null", out);
      return;
    }
  fputc ('{', out);
  print_number (out, "old", diff_value (d->before, r->before, METRIC_WORK));
  fputs (", ", out);
  print_number (out, "new", diff_value (d->now, r->now, METRIC_WORK));
  bool both = isfinite (diff_percent (d, r, METRIC_WORK));
  fprintf (out, ", \"same\": %s, ",
           !both                              ? "null"
           : diff_is_same (d, r, METRIC_WORK) ? "true"
                                              : "false");
  print_number (out, "change_percent", diff_percent (d, r, METRIC_WORK));
  fputc ('}', out);
}

static void
print_time (FILE *out, const struct diff *d, const struct diff_row *r)
{
  struct sampled before = run_set_sampled (d->before, r->before),
                 now = run_set_sampled (d->now, r->now);
  fputs (", \"time\": ", out);
  if (!d->has[METRIC_TIME])
    {
      fputs ("null", out);
      return;
    }
  fprintf (out, "{\"old_samples\": %.3f, \"new_samples\": %.3f, ", sampled_sum (&before),
           sampled_sum (&now));
  print_number (out, "old_seconds", sampled_seconds (&before));
  fputs (", ", out);
  print_number (out, "new_seconds", sampled_seconds (&now));
  fputs (", ", out);
  print_number (out, "ratio", r->time.ratio);
  fputs (", ", out);
  print_number (out, "ratio_low", r->time.low);
  fputs (", ", out);
  print_number (out, "ratio_high", r->time.high);
  fputs (", ", out);
  print_number (out, "p", r->time.p);
  fputs (", ", out);
  print_number (out, "p_adjusted", r->tested ? r->p : NAN);
  fprintf (out, ", \"significant\": %s}", diff_is_same (d, r, METRIC_TIME) ? "false" : "true");
}

static void
print_metrics (FILE *out, const struct diff *d, const struct diff_row *r)
{
  print_counts (out, d, r, METRIC_EXECUTIONS);
  print_counts (out, d, r, METRIC_CALLS);
  if (r->name)
    print_work (out, d, r);
  print_time (out, d, r);
  fputc ('}', out);
}

static void
print_row (FILE *out, const struct diff *d, const struct diff_row *r)
{
  const struct run_set_function *f = diff_is_added (d, r) ? r->now : r->before;
  fputs ("    {\"function\": ", out);
  json_string (out, r->name);
  fputs (", \"symbol\": ", out);
  json_string (out, f->symbol);
  fputs (", \"object\": ", out);
  json_string (out, *f->object ? f->object : NULL);
  fputs (", \"file\": ", out);
  json_string (out, *f->file ? f->file : NULL);
  fprintf (out, ", \"state\": \"%s\"",
           diff_is_added (d, r)     ? "added"
           : diff_is_removed (d, r) ? "removed"
                                    : "both");
  print_metrics (out, d, r);
}

static void
print_ends (FILE *out, const char *name, const struct run_set_function *f, const char *function)
{
  fprintf (out, "\"%s\": {\"function\": ", name);
  json_string (out, function);
  fputs (", \"symbol\": ", out);
  json_string (out, f->symbol);
  fputs (", \"object\": ", out);
  json_string (out, *f->object ? f->object : NULL);
  fputs (", \"file\": ", out);
  json_string (out, *f->file ? f->file : NULL);
  fputs ("}, ", out);
}

static void
print_arc (FILE *out, const struct diff *d, const struct diff_arc *a)
{
  static const struct run_set_count none;
  const struct run_set_ends *ends = a->before ? &a->before->ends : &a->now->ends;
  fputs ("    {", out);
  print_ends (out, "caller", ends->caller, a->caller);
  print_ends (out, "callee", ends->callee, a->callee);
  print_count (out, "old", a->before ? &a->before->calls : &none);
  fputs (", ", out);
  print_count (out, "new", a->now ? &a->now->calls : &none);
  fputs (", ", out);
  print_number (out, "change", diff_arc_change (d, a));
  fputs (", ", out);
  print_number (out, "change_percent", diff_arc_percent (d, a));
  fputc ('}', out);
}

void
diff_emit_json (FILE *out, const struct diff *d)
{
  fprintf (out, "{\n  \"format\": \"bbprof-diff\",\n  \"version\": %d,\n", VERSION);
  print_run_set (out, "old", d->before);
  print_run_set (out, "new", d->now);
  fprintf (out, "  \"total\": {\"functions\": %zu, \"changed\": %zu, \"arcs_changed\": %zu",
           d->count, d->chosen, d->chosen_arcs);
  print_metrics (out, d, &d->total);
  fputs (",\n  \"functions\": [\n", out);
  for (size_t i = 0; i < d->shown; i++)
    {
      print_row (out, d, &d->rows[i]);
      fputs (i + 1 < d->shown ? ",\n" : "\n", out);
    }
  fputs ("  ],\n  \"arcs\": [\n", out);
  for (size_t i = 0; i < d->shown_arcs; i++)
    {
      print_arc (out, d, &d->arcs[i]);
      fputs (i + 1 < d->shown_arcs ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
}
