/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as one line of JSON.  The format is a promise: fields are added, but not changed or
   removed without a new version number. */
#include <inttypes.h>

#include "collect/watch/monitor.h"
#include "tools/top/top.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

static void
print_counts (FILE *out, const char *name, const struct top_counts *c)
{
  fprintf (out, ", \"%s\": {", name);
  for (int i = 0; i < TIMELINE_STATES; i++)
    fprintf (out, "\"%s_ns\": %" PRId64 ", ", timeline_state_name (i),
             c->time[i] < 0 ? 0 : c->time[i]);
  fprintf (out,
           "\"voluntary\": %" PRId64 ", \"involuntary\": %" PRId64 ", \"migrations\": %" PRId64
           ", \"why_ns\": {",
           c->voluntary, c->involuntary, c->migrations);
  const char *comma = "";
  for (int i = 0; i < BBS_WHYS; i++)
    if (c->why[i] > 0)
      {
        fprintf (out, "%s\"%s\": %" PRId64, comma, watched_why_name (i), c->why[i]);
        comma = ", ";
      }
  fputs ("}}", out);
}

static void
print_reason (FILE *out, const struct top_thread *t)
{
  fprintf (out, ", \"why\": \"%s\"", watched_why_name (t->why));
  if (t->lock)
    fprintf (out, ", \"lock\": \"%#" PRIx64 "\"", t->lock);
  if (t->holder)
    fprintf (out, ", \"holder\": %" PRIu32, t->holder);
}

static void
print_thread (FILE *out, const struct top_thread *t)
{
  fprintf (out, "{\"tid\": %" PRIu32 ", \"name\": ", t->tid);
  json_string (out, t->name);
  fprintf (out, ", \"state\": \"%s\"",
           t->died == TOP_LIVES ? timeline_state_name (t->state) : "ended");
  if (t->died == TOP_LIVES && t->state == TIMELINE_SLEEPING)
    print_reason (out, t);
  if (t->cpu != BBS_CPU_UNKNOWN)
    fprintf (out, ", \"cpu\": %u", t->cpu);
  fprintf (out, ", \"begun_ns\": %" PRIu64, t->born);
  if (t->died != TOP_LIVES)
    fprintf (out, ", \"ended_ns\": %" PRIu64, t->died);
  fprintf (out, ", \"cpu_time_ns\": %" PRIu64, t->cpu_time);
  for (int i = 0; i < TIMELINE_UNKNOWN; i++)
    fprintf (out, ", \"longest_%s_ns\": %" PRIu64, timeline_state_name (i), top_longest (t, i));
  print_counts (out, "recent", &t->recent);
  print_counts (out, "all", &t->counts);
  fputc ('}', out);
}

static void
print_cpu (FILE *out, const struct top_cpu *c, size_t number)
{
  fprintf (out,
           "{\"cpu\": %zu, \"tid\": %" PRIu32 ", \"recent_ns\": %" PRId64
           ", \"recent_switches\": %" PRId64 "}",
           number, c->tid, c->recent_time, c->recent_switches);
}

void
top_print_json (FILE *out, const struct top *top)
{
  const struct top_watch *w = &top->watch;
  fprintf (out, "{\"format\": \"bbprof-top\", \"version\": %d, \"program\": ", VERSION);
  json_string (out, w->name);
  fprintf (out,
           ", \"pid\": %d, \"how\": \"%s\", \"refused_errno\": %" PRIu32 ", \"time_ns\": %" PRIu64
           ", \"period_ns\": %" PRIu64 ", \"own_ns\": %" PRId64
           ", \"ended\": %s, \"lost_switches\": %" PRIu64 ", \"threads\": [",
           w->pid, w->how.how == BBS_BY_EVENTS ? "events" : "polls", w->how.refused, w->sums.now,
           w->sums.period, w->sums.own, w->ended ? "true" : "false", monitor_lost (w->monitor));
  for (size_t i = 0; i < top->rows.n; i++)
    {
      fputs (i ? ", " : "", out);
      print_thread (out, top->rows.rows[i]);
    }
  fputs ("], \"cpus\": [", out);
  for (size_t i = 0; i < w->sums.ncpus; i++)
    {
      fputs (i ? ", " : "", out);
      print_cpu (out, &w->sums.cpus[i], i);
    }
  fputs ("]}\n", out);
}
