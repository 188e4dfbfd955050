/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>

#include "tools/compare/baseline.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

static void
print_count (FILE *out, const char *name, const struct run_set_count *c)
{
  fprintf (out, "\"%s\": {\"sum\": %" PRIu64 ", \"least\": %" PRIu64 ", \"most\": %" PRIu64 "}",
           name, c->sum, c->least, c->most);
}

/* Prints all but the names, and the closing brace. */
static void
print_counts (FILE *out, const struct run_set *s, const struct run_set_function *f)
{
  print_count (out, "calls", &f->calls);
  fputs (", ", out);
  print_count (out, "executions", &f->executions);
  fputs (", \"samples\": [", out);
  for (size_t i = 0; i < s->runs; i++)
    fprintf (out, "%s%.10g", i ? ", " : "", f->samples[i]);
  fputs ("]}", out);
}

static void
print_function (FILE *out, const struct run_set *s, const struct run_set_function *f)
{
  fputs ("    {\"object\": ", out);
  json_string (out, f->object);
  fputs (", \"file\": ", out);
  json_string (out, f->file);
  fputs (", \"symbol\": ", out);
  json_string (out, f->symbol);
  fputs (", ", out);
  print_counts (out, s, f);
}

/* Functions are written as indexes of the list of functions, from 0. */
static void
print_arc (FILE *out, const struct run_set_arc *a)
{
  fprintf (out, "    {\"caller\": %zu, \"callee\": %zu, ", a->ends.caller->number,
           a->ends.callee->number);
  print_count (out, "calls", &a->calls);
  fputc ('}', out);
}

void
baseline_print (FILE *out, const struct run_set *s)
{
  fprintf (out,
           "{\n  \"format\": \"bbprof-baseline\",\n  \"version\": %d,\n  \"program\": ", VERSION);
  json_string (out, s->program);
  fputs (",\n  \"build_id\": ", out);
  json_string (out, s->build_id);
  fprintf (out,
           ",\n  \"runs\": %zu,\n  \"has_calls\": %s,\n  \"has_executions\": %s,\n  "
           "\"samples_per_second\": %.17g,\n",
           s->runs, s->has_calls ? "true" : "false", s->has_executions ? "true" : "false", s->rate);
  fprintf (out, "  \"incomplete\": %s,\n  \"inexact\": ", s->incomplete ? "true" : "false");
  json_string (out, s->inexact);
  fputs (",\n  \"total\": {", out);
  print_counts (out, s, &s->total);
  fputs (",\n  \"functions\": [\n", out);
  for (const struct run_set_function *f = s->functions; f; f = f->hh.next)
    {
      print_function (out, s, f);
      fputs (f->hh.next ? ",\n" : "\n", out);
    }
  fputs ("  ],\n  \"arcs\": [\n", out);
  for (const struct run_set_arc *a = s->arcs; a; a = a->hh.next)
    {
      print_arc (out, a);
      fputs (a->hh.next ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
}
