/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "common/header.h"
#include "common/visible.h"
#include "tools/flame/flame_text.h"
#include "tools/report/report_emit.h"
#include "tools/view/bar.h"
#include "tools/report/report_tree.h"
#include "tools/view/columns.h"
#include "tools/view/plural.h"

/* The run. */

/* How the profile of a single run was made.  The program was instrumented if its hooks
   registered a thread. */
static const char *
writer_of (const struct report_table *t)
{
  const struct bbx *x = &t->model->runs[0].sidecar;
  if (x->state != BBX_WHOLE && x->state != BBX_TORN)
    return "";
  if (x->stacks.nsamplings > 0 && (x->stacks.samplings[0].flags & BBX_SAMPLING_ARCS))
    return ", sampled (bbprof record)";
  return t->summary.threads > 0 || t->calls > 0 || t->executions > 0
             ? ", counted by the program itself"
             : ", sampled";
}

static void
print_program (FILE *out, const struct report_table *t)
{
  const struct model *m = t->model;
  if (m->nruns > 1)
    header_print (out, "program", "%s, %zu profiles", visible (t->program), m->nruns);
  else
    header_print (out, "program", "%s, profile %s%s", visible (t->program),
                  visible (m->runs[0].profile), writer_of (t));
}

/* Bins of a profile are scaled when read, its stacks by report_make. */
static void
print_scale (FILE *out, const struct report_table *t)
{
  const struct summary *s = &t->summary;
  const bool wall = t->model->has_stacks && t->nsamplings > 0 && t->samplings[0].clock == 1;
  double scale = summary_scale (s);
  if (s->rate > 0 && (scale < 0.995 || scale > 1.005))
    header_print (out, "scaled", "by %.3f: a sample is %.3f ms of %s", scale,
                  1000 * scale / s->rate,
                  wall ? "wall time, by the clock" : "CPU time, by the CPU clock");
}

static void
print_run (FILE *out, const struct report_table *t)
{
  const struct summary *s = &t->summary;
  uint64_t threads = report_threads (t);
  char when[32] = "at an unknown time", words[64] = "";
  time_t seconds = (time_t) (s->started / 1000000000);
  struct tm tm;
  if (s->processes == 0)
    {
      fputs ("run      unknown: no usable sidecar (.bbx)\n", out);
      return;
    }
  if (gmtime_r (&seconds, &tm))
    strftime (when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &tm);
  if (threads > 0) /* else unknown: the sidecar is damaged */
    snprintf (words, sizeof words,
              s->threads > 0 ? "; up to %" PRIu64 " thread%s at a time" : "; %" PRIu64 " thread%s",
              threads, plural (threads));
  header_print (out, "run", "%s, %.2f s; CPU %.2f s; processes %zu%s", when, (double) s->wall / 1e9,
                (double) s->cpu / 1e9, s->processes, words);
  if (t->model->has_stacks)
    report_emit_samplings (out, t);
  else if (s->rate == 0)
    fputs ("samples  none taken\n", out);
  /* Samples of threads that were not chosen are left out. */
  else if (s->time.ticks > s->samples)
    header_print (out, "samples",
                  "%" PRIu64 " taken, of chosen threads; the rate was set to %" PRIu32, s->samples,
                  s->rate);
  else
    header_print (out, "samples",
                  "%" PRIu64 " taken, %.1f per second of CPU time; the rate was set to %" PRIu32,
                  s->samples, s->cpu ? 1e9 * (double) s->samples / (double) s->cpu : 0, s->rate);
  print_scale (out, t);
}

/* The cost of profiling is not a loss: it is left out so that it does not appear as time of the
   program. */
static bool
is_by_intent (const struct loss *loss)
{
  return strcmp (loss->cause, BBX_LOST_OWN) == 0;
}

/* True if the profile itself says that no sidecar belongs to it: libc wrote it, or the library
   could not write the sidecar. */
static bool
lacks_sidecar (const struct run *run)
{
  return run->number == 0 && run->sidecar.state == BBX_NONE;
}

/* Why it is unknown what the run has lost. */
static void
print_no_sidecar (FILE *out, const char *word, const struct run *run)
{
  const char *profile = visible (run->profile);
  if (lacks_sidecar (run))
    header_print (out, word,
                  "unknown: the profile has no sidecar, as if by gcc -pg alone; a %s.bbx is not of "
                  "this profile",
                  profile);
  else
    header_print (out, word, "unknown: %s.bbx is missing", profile);
}

/* Always prints a line: what was lost, or that nothing was, or that it is unknown. */
static void
print_losses (FILE *out, const struct report_table *t, const struct style *style)
{
  const struct summary *s = &t->summary;
  const char *word = "lost";
  for (size_t i = 0; i < s->nlosses; i++)
    if (is_by_intent (&s->losses[i]))
      {
        fputs ("left out ", out);
        plural_print (out, s->losses[i].count, visible (s->losses[i].cause));
        if (s->rate > 0)
          fprintf (out, ", %.3f s", (double) s->losses[i].count * summary_scale (s) / s->rate);
        fputc ('\n', out);
      }
  for (size_t i = 0; i < s->nlosses; i++)
    if (!is_by_intent (&s->losses[i]))
      {
        style_put (style, out, ALARM);
        fprintf (out, "%-8s ", word);
        plural_print (out, s->losses[i].count, visible (s->losses[i].cause));
        style_put (style, out, PLAIN);
        fputc ('\n', out);
        word = "";
      }
  if (s->unknown > 0 && t->model->nruns == 1 && t->model->runs[0].sidecar.state == BBX_NONE)
    print_no_sidecar (out, word, &t->model->runs[0]);
  else if (s->unknown > 0)
    header_print (out, word, "%sunknown for %zu of %zu profile%s: no complete sidecar (.bbx)",
                  *word ? "" : "more, ", s->unknown, t->model->nruns, plural (t->model->nruns));
  else if (*word)
    fprintf (out, "%-8s nothing\n", word);
}

/* libc's counter of calls loses calls when threads run at the same time; libc counts no blocks. */
static void
print_inexact (FILE *out, const struct report_table *t)
{
  size_t i = 0;
  while (i < t->model->nruns && !lacks_sidecar (&t->model->runs[i]))
    i++;
  if (t->calls > 0 && t->executions == 0 && i < t->model->nruns)
    header_print (out, "calls",
                  "inexact if gcc -pg alone counted several threads; add -fplugin=bbprof");
}

/* Names the columns that are missing because the profile does not have the data. */
static void
print_missing (FILE *out, const struct report_table *t)
{
  const struct {
    bool missing;
    const char *words;
  } all[] = { { t->samples <= 0, "time (no samples)" },
              { t->calls == 0, "calls (not compiled with -pg)" },
              { t->executions == 0, "blocks (not compiled with the plugin)" } };
  const char *words[3];
  size_t n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].missing)
      words[n++] = all[i].words;
  if (n > 0)
    header_print (out, "unknown", "%s%s%s%s%s", words[0], n > 1 ? ", " : "", n > 1 ? words[1] : "",
                  n > 2 ? ", " : "", n > 2 ? words[2] : "");
}

/* Tables. */

static void
add_count (struct columns *c, uint64_t count)
{
  if (count > 0)
    columns_add (c, "%" PRIu64, count);
  else
    columns_add (c, COLUMNS_NOTHING);
}

/* Begins a row with its part of all samples: as colour, and on a terminal as a bar. */
static void
add_bar (struct columns *c, const struct report_table *t, double samples, const struct style *style)
{
  const double share = t->samples > 0 ? report_percent (t, samples) / 100 : 0;
  columns_share (c, share);
  if (t->samples > 0)
    bar_add (c, style, share);
  else
    columns_add (c, COLUMNS_NOTHING);
}

static void
add_time (struct columns *c, const struct report_table *t, double samples)
{
  if (t->samples > 0)
    columns_add (c, "%.2f%%", report_percent (t, samples));
  else
    columns_add (c, COLUMNS_NOTHING);
  if (t->samples > 0 && report_has_time (t))
    columns_add (c, "%.3f", report_seconds (t, samples));
  else
    columns_add (c, COLUMNS_NOTHING);
}

static void
add_object (struct columns *c, const struct report_table *t, const struct report_object *o,
            const struct style *style)
{
  add_bar (c, t, o->samples, style);
  add_time (c, t, o->samples);
  add_count (c, o->calls);
  add_count (c, o->executions);
  columns_add (c, "%s", o->object->path);
}

static bool
print_objects (FILE *out, const struct report_table *t, const struct style *style)
{
  static const struct column head[] = { BAR_COLUMN,
                                        { .title = "time", .heat = true },
                                        { .title = "seconds" },
                                        { .title = "calls" },
                                        { .title = "executions" },
                                        { .title = "object", .left = true, .gives = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->nobjects; i++)
    add_object (&c, t, &t->objects[i], style);
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  columns_free (&c);
  return ok;
}

/* Not for a single thread, which executed everything. */
static bool
print_recorded (FILE *out, const struct report_table *t, const struct style *style)
{
  static const struct column head[] = { { .title = "executions" },
                                        { .title = "from" },
                                        { .title = "to" },
                                        { .title = "thread" },
                                        { .title = "name", .left = true, .gives = true } };
  struct columns c;
  if (t->nthreads < 2)
    return true;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->nthreads; i++)
    {
      const struct report_thread *thread = &t->threads[i];
      columns_add (&c, "%" PRIu64, thread->executions);
      columns_add (&c, "%.3f", thread->start);
      columns_add (&c, "%.3f", thread->end);
      columns_add (&c, "%d", thread->tid);
      columns_add (&c, "%s", thread->name);
    }
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  columns_free (&c);
  return ok;
}

/* Marks a total that contains estimates which may be wrong; the digits stay in one column. */
static void
add_totals (struct columns *c, const struct report_table *t, const struct report_function *f)
{
  if (t->samples > 0 && report_has_time (t))
    columns_add (c, "%.3f%s", report_seconds (t, f->total), f->inherits ? "~" : " ");
  else
    columns_add (c, COLUMNS_NOTHING);
  if (f->measured >= 0 && !t->model->has_stacks && report_has_time (t))
    columns_add (c, "%.3f", report_seconds (t, f->measured));
  else
    columns_add (c, COLUMNS_NOTHING);
}

static void
add_function (struct columns *c, const struct report_table *t, const struct report_function *f,
              const struct style *style)
{
  double ns = report_nanoseconds (t, f);
  add_bar (c, t, f->samples, style);
  add_time (c, t, f->samples);
  add_totals (c, t, f);
  add_count (c, f->calls);
  if (ns < 0)
    columns_add (c, COLUMNS_NOTHING);
  else
    columns_add (c, "%.1f", ns);
  add_count (c, f->executions);
  columns_add (c, "%s", t->nobjects > 1 ? object_name (f->symbol->object) : COLUMNS_NOTHING);
  columns_add (c, "%s", f->name);
}

static bool
print_functions (FILE *out, const struct report_table *t, const struct style *style)
{
  static const struct column head[] = { BAR_COLUMN,
                                        { .title = "self", .heat = true },
                                        { .title = "seconds" },
                                        { .title = "total " },
                                        { .title = "measured" },
                                        { .title = "calls" },
                                        { .title = "ns/call" },
                                        { .title = "executions" },
                                        { .title = "object", .left = true },
                                        { .title = "function", .left = true, .gives = true } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < t->nfunctions; i++)
    add_function (&c, t, &t->functions[i], style);
  fputc ('\n', out);
  bool ok = columns_print (&c, out, style);
  columns_free (&c);
  return ok;
}

static void
print_sum (FILE *out, const struct report_table *t)
{
  char seconds[64] = "", calls[64] = "", executions[64] = "";
  if (t->samples > 0 && report_has_time (t))
    snprintf (seconds, sizeof seconds, "%.3f s, ", report_seconds (t, t->samples));
  if (t->calls > 0)
    snprintf (calls, sizeof calls, "%" PRIu64 " call%s, ", t->calls, plural (t->calls));
  if (t->executions > 0)
    snprintf (executions, sizeof executions, "%" PRIu64 " block execution%s, ", t->executions,
              plural (t->executions));
  header_print (out, "total", "%s%s%s%zu of %zu function%s that ran", seconds, calls, executions,
                t->nfunctions, t->active, plural (t->active));
}

bool
report_emit_text (FILE *out, const struct report_table *t, const struct style *style,
                  size_t detailed)
{
  warnings_show (out, &t->model->warnings);
  print_program (out, t);
  print_run (out, t);
  print_losses (out, t, style);
  print_inexact (out, t);
  if (t->shows_flame)
    return flame_text_print (out, &t->flame, &t->flame_choice, t->program, t->rate, style);
  print_missing (out, t);
  if (t->shows_tree)
    return report_emit_threads (out, t, style) && report_emit_tree (out, t, style);
  bool ok = print_objects (out, t, style) && report_emit_threads (out, t, style)
            && print_recorded (out, t, style) && print_functions (out, t, style);
  print_sum (out, t);
  return ok && report_emit_relatives (out, t, style, detailed);
}
