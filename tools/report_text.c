/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "report_emit.h"

enum { OBJECT_WIDTH = 24 }; /* of names of objects, if that is enough */

/* The run.  */

static void
print_program (FILE *out, const struct report_table *t)
{
  const struct model *m = t->model;
  if (m->nruns > 1)
    fprintf (out, "program  %s, %zu profiles\n", t->program, m->nruns);
  else
    fprintf (out, "program  %s, profile %s\n", t->program, m->runs[0].profile);
}

static void
print_run (FILE *out, const struct summary *s)
{
  char when[32] = "at an unknown time";
  time_t seconds = (time_t) (s->started / 1000000000);
  struct tm tm;
  if (s->processes == 0)
    {
      fputs ("run      not known: no sidecar (.bbx) describes it\n", out);
      return;
    }
  if (gmtime_r (&seconds, &tm))
    strftime (when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &tm);
  fprintf (out, "run      %s, %.2f s; CPU %.2f s; processes %zu; threads %" PRIu64 "\n", when, (double) s->wall / 1e9,
           (double) s->cpu / 1e9, s->processes, s->threads);
  if (s->rate == 0)
    fputs ("samples  none taken\n", out);
  else
    fprintf (out, "samples  %" PRIu64 " taken, %.1f a second of CPU time; the clock was set to %" PRIu32 "\n",
             s->samples, s->cpu ? 1e9 * (double) s->samples / (double) s->cpu : 0, s->rate);
}

/* What it costs to profile is no loss: it is left out so that it does not pass for the program's time. */
static bool
is_by_intent (const struct loss *loss)
{
  return strcmp (loss->cause, BBX_LOST_OWN) == 0;
}

/* Never silent: what was lost, or that nothing was, or that nobody knows. */
static void
print_losses (FILE *out, const struct report_table *t)
{
  const struct summary *s = &t->summary;
  const char *word = "lost";
  for (size_t i = 0; i < s->nlosses; i++)
    if (is_by_intent (&s->losses[i]))
      fprintf (out, "left out %" PRIu64 " %s\n", s->losses[i].count, s->losses[i].cause);
  for (size_t i = 0; i < s->nlosses; i++)
    if (!is_by_intent (&s->losses[i]))
      {
        fprintf (out, "%-8s %" PRIu64 " %s\n", word, s->losses[i].count, s->losses[i].cause);
        word = "";
      }
  if (s->unknown > 0)
    fprintf (out, "%-8s what %swas lost is not known: %zu of %zu profiles %s no sidecar (.bbx) that says it\n", word,
             *word ? "" : "else ", s->unknown, t->model->nruns, t->model->nruns == 1 ? "has" : "have");
  else if (*word)
    fprintf (out, "%-8s nothing was lost\n", word);
}

/* The tables.  */

static void
print_time (FILE *out, const struct report_table *t, double samples)
{
  if (report_has_time (t))
    fprintf (out, "%6.2f%% %10.3f", report_percent (t, samples), report_seconds (t, samples));
  else
    fprintf (out, "%7s %10s", "-", "-");
}

/* No calls means that nobody counted them: compiled without -pg. */
static void
print_calls (FILE *out, uint64_t calls)
{
  if (calls > 0)
    fprintf (out, " %16" PRIu64, calls);
  else
    fprintf (out, " %16s", "-");
}

static void
print_objects (FILE *out, const struct report_table *t)
{
  fprintf (out, "\n%7s %10s %16s  object\n", "time", "seconds", "calls");
  for (size_t i = 0; i < t->nobjects; i++)
    {
      const struct report_object *o = &t->objects[i];
      print_time (out, t, o->samples);
      print_calls (out, o->calls);
      fprintf (out, "  %s\n", o->object->path);
    }
}

static int
object_width (const struct report_table *t)
{
  size_t width = strlen ("object");
  for (size_t i = 0; i < t->nfunctions; i++)
    {
      size_t n = strlen (object_name (t->functions[i].symbol->object));
      if (n > width)
        width = n;
    }
  return width < OBJECT_WIDTH ? (int) width : OBJECT_WIDTH;
}

static void
print_functions (FILE *out, const struct report_table *t)
{
  int width = object_width (t);
  fprintf (out, "\n%7s %10s %16s %12s  %-*s  function\n", "self", "seconds", "calls", "ns/call", width, "object");
  for (size_t i = 0; i < t->nfunctions; i++)
    {
      const struct report_function *f = &t->functions[i];
      double ns = report_nanoseconds (t, f);
      print_time (out, t, f->samples);
      print_calls (out, f->calls);
      if (ns < 0)
        fprintf (out, " %12s", "-");
      else
        fprintf (out, " %12.1f", ns);
      fprintf (out, "  %-*s  %s\n", width, object_name (f->symbol->object), f->name);
    }
  print_time (out, t, t->samples);
  print_calls (out, t->calls);
  fprintf (out, "%15stotal; shown: %zu of %zu functions that ran\n", "", t->nfunctions, t->active);
}

void
report_emit_text (FILE *out, const struct report_table *t)
{
  print_program (out, t);
  print_run (out, &t->summary);
  print_losses (out, t);
  print_objects (out, t);
  print_functions (out, t);
}
