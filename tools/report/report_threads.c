/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how time was sampled, and the sampled threads. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/array.h"
#include "common/header.h"
#include "common/visible.h"
#include "tools/report/report_emit.h"
#include "tools/report/report_json_stacks.h"
#include "tools/report/report_languages.h"
#include "tools/view/columns.h"
#include "tools/view/interval.h"
#include "tools/view/json.h"
#include "tools/view/json_model.h"
#include "tools/view/plural.h"

static const char *const clocks[] = { "CPU time", "wall time" };

/* How time was sampled. */

/* Ticks per second of CPU time; negative: unknown.  It is unknown for wall time, which each
   thread has by itself, and if only chosen threads were sampled. */
static double
rate_reached (const struct bbx_sampling *s)
{
  return s->clock == 0 && s->cpu > 0 && !(s->flags & BBX_SAMPLING_CHOSEN)
             ? 1e9 * (double) s->ticks / (double) s->cpu
             : -1;
}

static void
print_sampling (FILE *out, const struct bbx_sampling *s)
{
  char reached[32] = "";
  if (rate_reached (s) >= 0)
    snprintf (reached, sizeof reached, ", %.1f achieved", rate_reached (s));
  header_print (out, "samples",
                "%" PRIu64 " by %s, of %s; rate: %" PRIu32 " requested, %" PRIu32 " set%s",
                s->ticks, *s->sampler ? visible (s->sampler) : "an unknown sampler",
                clocks[s->clock], s->asked, s->rate, reached);
  if (s->cut > 0)
    header_print (out, "stacks",
                  "%" PRIu64 ", of which %" PRIu64 " (%.2f%%) without their outermost frames",
                  s->samples, s->cut,
                  100 * (double) s->cut / (double) (s->samples > 0 ? s->samples : s->cut));
  else
    header_print (out, "stacks", "%" PRIu64 ", all complete%s", s->samples,
                  s->samples < s->ticks ? "; a late one counts as several samples" : "");
}

/* One line for all. */
static void
print_user_level (FILE *out, const struct report_table *t)
{
  for (size_t i = 0; i < t->nsamplings; i++)
    if (t->samplings[i].flags & BBX_SAMPLING_SWITCHED)
      {
        header_print (out, "threads", "user-level threads: samples belong to kernel threads");
        return;
      }
}

/* How far shares can be trusted, if samples are few. */
static void
print_precision (FILE *out, double samples)
{
  enum { FEW = 100 };
  if (samples < 1 || samples >= FEW)
    return;
  const struct interval half = interval_of_samples (samples / 2);
  header_print (out, "shares",
                "%.0f sample%s: a share of 50%% may be %.0f%% to %.0f%%; run it longer, or sample "
                "faster (record -F)",
                samples, plural ((uint64_t) samples), 100 * half.low / samples,
                half.high < samples ? 100 * half.high / samples : 100);
}

void
report_emit_samplings (FILE *out, const struct report_table *t)
{
  for (size_t i = 0; i < t->nsamplings; i++)
    print_sampling (out, &t->samplings[i]);
  if (t->nsamplings > 0)
    print_precision (out, t->samples);
  print_user_level (out, t);
  report_emit_languages (out, t);
}

/* Threads. */

uint64_t
report_threads (const struct report_table *t)
{
  return t->summary.threads > 0 || !t->model->has_stacks ? t->summary.threads
                                                         : t->model->stacks.nthreads;
}

static int
compare_threads (const void *a, const void *b, void *context)
{
  const struct stack_times *times = context;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  if (times->threads[x] != times->threads[y])
    return times->threads[x] > times->threads[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The threads that are shown, most ticks first, allocated; null: no memory. */
static uint32_t *
list_threads (const struct report_table *t, size_t *count)
{
  struct stack_times times = t->times;
  const struct stacks *s = &t->model->stacks;
  uint32_t *list = malloc ((s->nthreads + 1) * sizeof *list);
  *count = 0;
  for (uint32_t i = 0; list && i < s->nthreads; i++)
    if (t->wanted_threads[i])
      list[(*count)++] = i;
  if (list && array_sort (list, *count, sizeof *list, compare_threads, &times))
    return list;
  free (list);
  return NULL;
}

/* Nanoseconds from the start of the run to the thread's end, or to the dump. */
static uint64_t
end_of (const struct report_table *t, const struct stacks_thread *thread)
{
  const struct bbx *x = &t->model->runs[thread->run].sidecar;
  uint64_t wall = 0;
  for (size_t i = 0; i < x->nprocesses; i++)
    wall = x->processes[i].fixed.wall > wall ? x->processes[i].fixed.wall : wall;
  return thread->fixed.ended != 0 ? thread->fixed.ended : wall;
}

static void
add_thread (struct columns *c, const struct report_table *t, uint32_t index)
{
  const struct stacks_thread *thread = &t->model->stacks.threads[index];
  double samples = (double) t->times.threads[index];
  columns_add (c, "%.2f%%", report_percent (t, samples));
  columns_add (c, "%.3f", report_seconds (t, samples));
  columns_add (c, "%" PRIu64, t->times.threads[index]);
  columns_add (c, "%.3f", (double) thread->fixed.cpu / 1e9);
  columns_add (c, "%.3f", (double) thread->fixed.begun / 1e9);
  columns_add (c, "%.3f", (double) end_of (t, thread) / 1e9);
  if (thread->fixed.number != BBX_THREAD_OTHERS)
    columns_add (c, "%" PRIu32, thread->fixed.number);
  else
    columns_add (c, COLUMNS_NOTHING);
  if (thread->fixed.tid != 0)
    columns_add (c, "%" PRIu32, thread->fixed.tid);
  else
    columns_add (c, COLUMNS_NOTHING);
  columns_add (c, "%s", *thread->fixed.name ? thread->fixed.name : "(unknown)");
}

bool
report_emit_threads (FILE *out, const struct report_table *t, const struct style *style)
{
  static const struct column head[] = {
    { .title = "time" },   { .title = "seconds" }, { .title = "samples" },
    { .title = "CPU" },    { .title = "from" },    { .title = "to" },
    { .title = "thread" }, { .title = "tid" },     { .title = "name", .left = true, .gives = true }
  };
  struct columns c;
  size_t n;
  uint32_t *list = list_threads (t, &n);
  bool ok = list != NULL;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; ok && n > 1 && i < n && i < t->most_threads; i++)
    add_thread (&c, t, list[i]);
  if (c.count > 0)
    fputc ('\n', out);
  ok = ok && columns_print (&c, out, style);
  if (c.count > 0 && n > t->most_threads)
    fprintf (out, "and %zu more thread%s\n", n - t->most_threads, plural (n - t->most_threads));
  columns_free (&c);
  free (list);
  return ok;
}

/* JSON.  */

static void
print_json_sampling (FILE *out, const struct bbx_sampling *s)
{
  fputs ("{\"sampler\": ", out);
  json_string (out, s->sampler);
  fprintf (out,
           ", \"clock\": \"%s\", \"asked_per_second\": %" PRIu32 ", \"set_per_second\": %" PRIu32,
           s->clock == 0 ? "cpu" : "wall", s->asked, s->rate);
  fputs (", \"reached_per_second\": ", out);
  if (rate_reached (s) >= 0)
    fprintf (out, "%.3f", rate_reached (s));
  else
    fputs ("null", out);
  fprintf (
      out,
      ", \"depth\": %" PRIu32 ", \"ticks\": %" PRIu64 ", \"stacks\": %" PRIu64 ", \"cut\": %" PRIu64
      ", \"user_level_threads\": %s, \"wall_seconds\": %.6f, \"cpu_seconds\": %.6f}",
      s->depth, s->ticks, s->samples, s->cut, s->flags & BBX_SAMPLING_SWITCHED ? "true" : "false",
      (double) s->wall / 1e9, (double) s->cpu / 1e9);
}

static void
print_json_thread (FILE *out, const struct report_table *t, uint32_t index)
{
  const struct stacks_thread *thread = &t->model->stacks.threads[index];
  fprintf (out, "{\"number\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"name\": ", thread->fixed.number,
           thread->fixed.tid);
  json_string (out, thread->fixed.name);
  fputs (", \"profile\": ", out);
  json_string (out, t->model->runs[thread->run].profile);
  fprintf (out,
           ", \"samples\": %" PRIu64
           ", \"share_percent\": %.4f, \"seconds\": %.6f, \"cpu_seconds\": %.6f, "
           "\"from_seconds\": %.6f, \"to_seconds\": %.6f}",
           t->times.threads[index], report_percent (t, (double) t->times.threads[index]),
           report_seconds (t, (double) t->times.threads[index]), (double) thread->fixed.cpu / 1e9,
           (double) thread->fixed.begun / 1e9, (double) end_of (t, thread) / 1e9);
}

bool
report_emit_json_stacks (FILE *out, const struct report_table *t)
{
  size_t n;
  uint32_t *list = list_threads (t, &n);
  fputs ("  \"sampling\": [", out);
  for (size_t i = 0; i < t->nsamplings; i++)
    {
      fputs (i > 0 ? ",\n    " : "\n    ", out);
      print_json_sampling (out, &t->samplings[i]);
    }
  fputs ("],\n", out);
  fputs ("  ", out);
  json_languages (out, t->model);
  fputs (",\n", out);
  fputs ("  \"sampled_threads\": [", out);
  for (size_t i = 0; list && i < n; i++)
    {
      fputs (i > 0 ? ",\n    " : "\n    ", out);
      print_json_thread (out, t, list[i]);
    }
  fputs ("],\n", out);
  bool ok = list && report_emit_json_call_stacks (out, t, list, n);
  free (list);
  return ok;
}
