/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>
#include <stdlib.h>

#include "model/elf/demangle.h"
#include "tools/report/report_emit.h"
#include "tools/report/report_names.h"
#include "tools/report/report_tree.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"

enum { VERSION = 1 };

static void
print_run (FILE *out, const struct report_table *t)
{
  const struct summary *s = &t->summary;
  fputs ("  \"run\": ", out);
  if (s->processes == 0)
    {
      fputs ("null,\n", out);
      return;
    }
  fprintf (out,
           "{\"started_seconds\": %.3f, \"wall_seconds\": %.6f, \"cpu_seconds\": %.6f, "
           "\"processes\": %zu, "
           "\"threads\": %" PRIu64 ", \"samples\": %" PRIu64 ", \"samples_per_second\": %" PRIu32
           ", \"scale\": %.6f},\n",
           (double) s->started / 1e9, (double) s->wall / 1e9, (double) s->cpu / 1e9, s->processes,
           report_threads (t), s->samples, s->rate, summary_scale (s));
}

static void
print_losses (FILE *out, const struct summary *s)
{
  fprintf (out, "  \"losses_known\": %s,\n  \"losses\": [", s->unknown == 0 ? "true" : "false");
  for (size_t i = 0; i < s->nlosses; i++)
    {
      fprintf (out, "%s{\"count\": %" PRIu64 ", \"cause\": ", i ? ", " : "", s->losses[i].count);
      json_string (out, s->losses[i].cause);
      fputc ('}', out);
    }
  fputs ("],\n", out);
}

/* Samples, and values computed from them; null without time. */
static void
print_time (FILE *out, const struct report_table *t, double samples)
{
  fprintf (out, "\"samples\": %.3f, \"share_percent\": %.4f, \"seconds\": ", samples,
           report_percent (t, samples));
  if (report_has_time (t))
    fprintf (out, "%.6f", report_seconds (t, samples));
  else
    fputs ("null", out);
}

static void
print_object (FILE *out, const struct report_table *t, const struct report_object *row)
{
  char id[BUILD_ID_TEXT];
  fputs ("    {\"path\": ", out);
  json_string (out, row->object->path);
  fputs (", \"build_id\": ", out);
  json_string (out, row->object->build_id.size ? build_id_text (&row->object->build_id, id) : NULL);
  fputs (", ", out);
  print_time (out, t, row->samples);
  fprintf (out, ", \"calls\": %" PRIu64 ", \"executions\": %" PRIu64 "}", row->calls,
           row->executions);
}

/* Prints the source of the function if its object has several functions of that name. */
static void
print_source (FILE *out, const struct report_table *t, const struct symbol *s)
{
  char *where = s && t->namesakes[s - t->model->symtab.symbols] ? report_where (s) : NULL;
  if (where)
    {
      fputs (", \"source\": ", out);
      json_string (out, where);
    }
  free (where);
}

/* A share in percent; null if negative. */
static void
print_share (FILE *out, const char *name, double share)
{
  if (share < 0)
    fprintf (out, "\"%s\": null", name);
  else
    fprintf (out, "\"%s\": %.4f", name, 100 * share);
}

static void
print_relative (FILE *out, const struct report_table *t, const struct report_relative *r)
{
  static const char *const verdicts[]
      = { [REPORT_RIGHT] = "right", [REPORT_ASSUMED] = "assumed", [REPORT_WRONG] = "wrong" };
  fputs ("\n      {\"function\": ", out);
  json_string (out, r->name);
  fputs (", \"symbol\": ", out);
  json_string (out, r->symbol ? r->symbol->name : NULL);
  fputs (", \"object\": ", out);
  json_string (out, r->symbol ? r->symbol->object->path : NULL);
  print_source (out, t, r->symbol);
  fprintf (out,
           ", \"calls\": %" PRIu64 ", \"calls_more\": %" PRIu64 ", \"calls_fewer\": %" PRIu64
           ", \"samples\": %.3f, ",
           r->calls, r->open.more, r->open.fewer, r->samples);
  print_share (out, "share_percent", r->share);
  fputs (", ", out);
  print_share (out, "caller_percent", r->by_calls);
  fputs (", \"by_calls\": ", out);
  json_string (out, verdicts[report_verdict (r)]);
  fputs (", \"measured\": ", out);
  if (r->measured < 0)
    {
      fputs ("null}", out);
      return;
    }
  fprintf (out, "{\"executions\": %" PRIu64 ", ", r->cost ? r->cost->executions : 0);
  print_share (out, "executions_percent", r->measured_executions);
  fputs (", ", out);
  print_share (out, "caller_percent", r->measured);
  fputs ("}}", out);
}

static void
print_relatives (FILE *out, const struct report_table *t, const char *name,
                 const struct report_relatives *all)
{
  fprintf (out, ",\n     \"%s\": [", name);
  for (size_t i = 0; i < all->count; i++)
    {
      fputs (i ? "," : "", out);
      print_relative (out, t, &all->list[i]);
    }
  fputc (']', out);
}

static void
print_inlined (FILE *out, const struct report_table *t, const struct report_function *f)
{
  fputs (",\n     \"inlined\": [", out);
  for (size_t i = 0; i < f->ninlined; i++)
    {
      const struct inlined *g = &f->inlined[i];
      char *name = demangle_name (model_program (t->model), g->function);
      fputs (i ? ",\n      {\"function\": " : "\n      {\"function\": ", out);
      json_string (out, name ? name : g->function);
      fputs (", \"symbol\": ", out);
      json_string (out, g->function);
      if (g->entered > 0)
        fprintf (out, ", \"entered\": %" PRIu64, g->entered);
      else
        fputs (", \"entered\": null", out);
      fprintf (out, ", \"samples\": %.3f}", g->samples);
      free (name);
    }
  fputc (']', out);
}

static void
print_function (FILE *out, const struct report_table *t, const struct report_function *f)
{
  double ns = report_nanoseconds (t, f);
  fputs ("    {\"function\": ", out);
  json_string (out, f->name);
  fputs (", \"symbol\": ", out);
  json_string (out, f->symbol->name);
  fputs (", \"object\": ", out);
  json_string (out, f->symbol->object->path);
  print_source (out, t, f->symbol);
  fputs (", ", out);
  print_time (out, t, f->samples);
  fprintf (out, ", \"calls\": %" PRIu64 ", \"ns_per_call\": ", f->calls);
  if (ns < 0)
    fputs ("null", out);
  else
    fprintf (out, "%.3f", ns);
  fputs (", \"total_seconds\": ", out);
  if (report_has_time (t))
    fprintf (out, "%.6f", report_seconds (t, f->total));
  else
    fputs ("null", out);
  fputs (", \"measured_total_seconds\": ", out);
  if (f->measured >= 0 && report_has_time (t))
    fprintf (out, "%.6f", report_seconds (t, f->measured));
  else
    fputs ("null", out);
  fprintf (out, ", \"total_assumed\": %s, \"executions\": %" PRIu64, f->inherits ? "true" : "false",
           f->executions);
  if (f->cycle != 0)
    fprintf (out, ", \"cycle\": %" PRIu32, f->cycle);
  else
    fputs (", \"cycle\": null", out);
  print_relatives (out, t, "callers", &f->callers);
  print_relatives (out, t, "callees", &f->callees);
  print_inlined (out, t, f);
  fputc ('}', out);
}

static void
print_recorded (FILE *out, const struct report_table *t)
{
  fputs ("  \"threads\": ", out);
  for (size_t i = 0; i < t->nthreads; i++)
    {
      const struct report_thread *thread = &t->threads[i];
      fputs (i ? ",\n    {\"name\": " : "[\n    {\"name\": ", out);
      json_string (out, thread->name);
      fprintf (
          out,
          ", \"thread\": %d, \"from_seconds\": %.6f, \"to_seconds\": %.6f, \"executions\": %" PRIu64
          "}",
          thread->tid, thread->start, thread->end, thread->executions);
    }
  fputs (t->nthreads ? "],\n" : "null,\n", out);
}

bool
report_emit_json (FILE *out, const struct report_table *t)
{
  json_head (out, "bbprof-report", VERSION, t->program, t->model);
  fputs (",\n", out);
  print_run (out, t);
  print_losses (out, &t->summary);
  fputs ("  \"total\": {", out);
  print_time (out, t, t->samples);
  fprintf (out,
           ", \"calls\": %" PRIu64 ", \"executions\": %" PRIu64
           ", \"functions\": %zu},\n  \"objects\": [\n",
           t->calls, t->executions, t->active);
  for (size_t i = 0; i < t->nobjects; i++)
    {
      print_object (out, t, &t->objects[i]);
      fputs (i + 1 < t->nobjects ? ",\n" : "\n", out);
    }
  fputs ("  ],\n", out);
  print_recorded (out, t);
  bool ok = report_emit_json_stacks (out, t);
  if (t->shows_tree)
    report_emit_json_tree (out, t);
  fprintf (out, "  \"recorded_executions\": %" PRIu64 ",\n", t->recorded);
  fputs ("  \"functions\": [\n", out);
  for (size_t i = 0; i < t->nfunctions; i++)
    {
      print_function (out, t, &t->functions[i]);
      fputs (i + 1 < t->nfunctions ? ",\n" : "\n", out);
    }
  fputs ("  ]\n}\n", out);
  return ok;
}
