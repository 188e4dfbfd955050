/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <math.h>

#include "tools/check/check_emit.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

/* Null for infinity and NaN, which JSON does not have. */
static void
print_number (FILE *out, const char *name, double number)
{
  if (isfinite (number))
    fprintf (out, ", \"%s\": %.9g", name, number);
  else
    fprintf (out, ", \"%s\": null", name);
}

static void
print_case (FILE *out, const struct check *check, const struct check_rule *c,
            const struct check_case *is)
{
  const struct diff *d = check->diff;
  const struct run_set_function *f = diff_is_added (d, is->row) ? is->row->now : is->row->before;
  enum metric m = c->rule->metric;
  fputs ("{\"function\": ", out);
  json_string (out, is->row->name);
  fputs (", \"symbol\": ", out);
  json_string (out, is->row->name ? f->symbol : NULL);
  fputs (", \"object\": ", out);
  json_string (out, *f->object ? f->object : NULL);
  print_number (out, "base", diff_value (d->before, is->row->before, m));
  print_number (out, "new", diff_value (d->now, is->row->now, m));
  print_number (out, "change_percent", diff_percent (d, is->row, m));
  print_number (out, "p", is->tested ? is->p : NAN);
  fprintf (out, ", \"over\": %s", is->verdict == CHECK_OVER ? "true" : "false");
  if (is->verdict == CHECK_NOT_PROVEN)
    fputs (", \"not_proven\": true", out);
  if (is->varies)
    fputs (", \"varies\": true", out);
  fputc ('}', out);
}

static void
print_rule (FILE *out, const struct check *check, const struct check_rule *c)
{
  fputs ("    {\"rule\": ", out);
  json_string (out, c->rule->text);
  fprintf (out,
           ", \"line\": %u, \"measure\": \"%s\", \"result\": \"%s\", \"reason\": ", c->rule->line,
           metric_names[c->rule->metric], check_verdict_name (c->verdict));
  json_string (out, c->verdict == CHECK_UNSURE ? c->why : NULL);
  fputs (", \"cases\": [", out);
  for (size_t i = 0; i < c->ncases; i++)
    {
      fputs (i ? ",\n      " : "\n      ", out);
      print_case (out, check, c, &c->cases[i]);
    }
  fputs ("]}", out);
}

void
check_emit_json (FILE *out, const struct check *check)
{
  const struct diff *d = check->diff;
  fprintf (out,
           "{\n  \"format\": \"bbprof-check\",\n  \"version\": %d,\n  \"result\": \"%s\",\n  "
           "\"base\": {\"program\": ",
           VERSION, check_verdict_name (check->verdict));
  json_string (out, d->before->program);
  fprintf (out, ", \"runs\": %zu},\n  \"new\": {\"program\": ", d->before->runs);
  json_string (out, d->now->program);
  fprintf (out, ", \"runs\": %zu},\n  \"varying_functions\": %zu,\n  \"rules\": [\n", d->now->runs,
           check->varying);
  for (size_t i = 0; i < check->count; i++)
    {
      print_rule (out, check, &check->rules[i]);
      fputs (i + 1 < check->count ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
}
