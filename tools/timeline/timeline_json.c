/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One JSON document with all that is known of the window.  The format is a promise: fields are
   added, but not changed or removed without a new version number.  Each interval and each sample
   has a line of its own and is written at once, so that memory does not grow with the run. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "collect/streams/watched.h"
#include "tools/timeline/lock_sums.h"
#include "tools/timeline/timeline_emit.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/json.h"

enum { FORMAT = 1 };

static void
print_watch (FILE *out, const struct timeline *t)
{
  static const char *const reasons[] = {
    [BBS_REASONS_NONE] = "none", [BBS_REASONS_WCHAN] = "wchan", [BBS_REASONS_SYSCALL] = "syscall"
  };
  const struct bbs_watch *w = &t->watch;
  fprintf (out,
           "  \"watched\": {\"how\": \"%s\", \"refused_errno\": %" PRIu32
           ", \"looks_per_second\": %" PRIu32 ", \"reasons\": \"%s\", "
           "\"from_ns\": %" PRIu64 ", \"lost_switches\": %" PRIu64 ", \"lost_marks\": %" PRIu64
           ", \"lost_mpi_calls\": %" PRIu64 ", \"own_ns\": %" PRIu64 "},\n",
           w->how == BBS_BY_EVENTS ? "events" : "polls", w->refused, w->rate,
           reasons[w->reasons <= BBS_REASONS_SYSCALL ? w->reasons : BBS_REASONS_NONE], w->time,
           t->lost, t->lost_marks, t->lost_mpi_calls, t->own_ns);
}

/* A number, or null. */
static void
print_known (FILE *out, const char *name, uint64_t value)
{
  if (value == BBS_NOT_KNOWN)
    fprintf (out, ", \"%s\": null", name);
  else
    fprintf (out, ", \"%s\": %" PRIu64, name, value);
}

static void
print_sums (FILE *out, const struct timeline_sums *s)
{
  fputs ("     \"sums\": {", out);
  for (unsigned i = 0; i < TIMELINE_STATES; i++)
    fprintf (out, "\"%s_ns\": %" PRIu64 ", ", timeline_state_name (i), s->time[i]);
  fputs ("\"why_ns\": {", out);
  for (unsigned i = 0, n = 0; i < BBS_WHYS; i++)
    if (s->why[i] > 0)
      fprintf (out, "%s\"%s\": %" PRIu64, n++ > 0 ? ", " : "", watched_why_name (i), s->why[i]);
  fprintf (out,
           "}, \"voluntary\": %" PRIu64 ", \"involuntary\": %" PRIu64 ", \"migrations\": %" PRIu64
           "},\n",
           s->voluntary, s->involuntary, s->migrations);
}

/* A thread in a ROLE, and how that is known. */
static void
print_role (FILE *out, const struct timeline *t, const char *role, uint32_t thread,
            enum timeline_source source)
{
  fprintf (out, ", \"%s\": {\"tid\": %" PRIu32 ", \"name\": ", role, t->threads[thread].tid);
  json_string (out, t->threads[thread].name);
  fprintf (out, ", \"source\": \"%s\"", timeline_source_name (source));
}

static void
print_wait (FILE *out, const struct timeline *t, const struct timeline_wait *w)
{
  fprintf (out, ", \"lock\": {\"id\": %" PRIu32 ", \"source\": \"%s\"}", w->lock + 1,
           timeline_source_name (w->source));
  if (w->function)
    {
      fputs (", \"function\": ", out);
      json_string (out, w->function);
    }
  if (w->holder_source != TIMELINE_ABSENT)
    {
      print_role (out, t, "holder", w->holder, w->holder_source);
      fprintf (out, ", \"at_ns\": %" PRIu64 "}", w->holder_time);
    }
  if (w->waker_source != TIMELINE_WAKER_ABSENT)
    {
      print_role (out, t, "waker", w->waker, TIMELINE_INFERRED);
      fprintf (out, ", \"because\": \"%s\"}", timeline_waker_name (w->waker_source));
    }
}

static void
print_interval (FILE *out, const struct timeline_view *v, const struct timeline_interval *i)
{
  const struct timeline_wait *wait = timeline_wait_of (v->timeline, i);
  uint64_t start = i->start > v->from ? i->start : v->from, end = i->end < v->to ? i->end : v->to;
  fprintf (out, "{\"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 ", \"state\": \"%s\"", start,
           end, timeline_state_name (i->state));
  if (i->state == TIMELINE_RUNNING && i->cpu != BBS_CPU_UNKNOWN)
    fprintf (out, ", \"cpu\": %u", i->cpu);
  if (i->state == TIMELINE_READY)
    fprintf (out, ", \"preempted\": %s", i->preempted ? "true" : "false");
  if (i->state == TIMELINE_SLEEPING)
    {
      char reason[64];
      timeline_reason (i, reason, sizeof reason);
      fprintf (out, ", \"why\": \"%s\", \"reason\": ", watched_why_name (i->why));
      json_string (out, reason);
      if (i->call >= 0)
        fprintf (out, ", \"call\": %" PRId32, i->call);
      if (wait)
        print_wait (out, v->timeline, wait);
    }
  fputs (i->estimated ? ", \"estimated\": true}" : "}", out);
}

static void
print_intervals (FILE *out, const struct timeline_view *v, const struct timeline_thread *thread)
{
  const char *between = "\n      ";
  fputs ("     \"intervals\": [", out);
  for (size_t i = timeline_first (thread, v->from);
       i < thread->nintervals && thread->intervals[i].start < v->to; i++)
    {
      fputs (between, out);
      print_interval (out, v, &thread->intervals[i]);
      between = ",\n      ";
    }
  fputs ("],\n", out);
}

static bool
is_shown (const struct timeline_view *v, const struct timeline_sample *s)
{
  return s->time >= v->from && s->time < v->to;
}

static void
print_samples (FILE *out, const struct timeline_view *v, const struct timeline_thread *thread)
{
  const char *between = "\n      ";
  fputs ("     \"samples\": [", out);
  for (size_t i = 0; i < thread->nsamples; i++)
    {
      const struct timeline_sample *s = &thread->samples[i];
      if (!is_shown (v, s))
        continue;
      fprintf (out,
               "%s{\"time_ns\": %" PRIu64 ", \"stack\": %" PRIu32
               ", \"ticks\": %u, \"sleeps\": %s}",
               between, s->time, s->stack, s->ticks, s->sleeps ? "true" : "false");
      between = ",\n      ";
    }
  fputs ("],\n", out);
}

static void
print_mpi_calls (FILE *out, const struct timeline_view *v, const struct timeline_thread *thread)
{
  const char *between = "\n      ";
  fputs ("     \"mpi_calls\": [", out);
  for (size_t i = 0; i < thread->nmpi_calls; i++)
    {
      const struct timeline_mpi_call *call = &thread->mpi_calls[i];
      if (call->start >= v->to || call->end <= v->from)
        continue;
      fprintf (out, "%s{\"call\": \"%s\", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 "}",
               between, call->name, call->start, call->end);
      between = ",\n      ";
    }
  fputs ("]}", out);
}

static void
print_thread (FILE *out, const struct timeline_view *v, uint32_t index)
{
  const struct timeline_thread *thread = &v->timeline->threads[index];
  struct timeline_sums sums = timeline_view_sums (v, thread);
  fprintf (out, "\n    {\"tid\": %" PRIu32 ", \"number\": ", thread->tid);
  if (thread->number > 0)
    fprintf (out, "%" PRIu32, thread->number);
  else
    fputs ("null", out);
  fputs (", \"name\": ", out);
  json_string (out, thread->name);
  fprintf (out, ", \"begun_ns\": %" PRIu64 ", \"ended_ns\": %" PRIu64, thread->begun,
           thread->ended);
  print_known (out, "cpu_clock_ns", thread->cpu);
  fputs (",\n", out);
  print_sums (out, &sums);
  print_intervals (out, v, thread);
  print_samples (out, v, thread);
  print_mpi_calls (out, v, thread);
}

static void
print_marks (FILE *out, const struct timeline_view *v)
{
  const struct timeline *t = v->timeline;
  const char *between = "\n    ";
  fputs ("  \"marks\": [", out);
  for (size_t i = 0; i < t->nmarks; i++)
    if (t->marks[i].time >= v->from && t->marks[i].time <= v->to)
      {
        fprintf (out, "%s{\"time_ns\": %" PRIu64 ", \"tid\": %" PRIu32 ", \"text\": ", between,
                 t->marks[i].time, t->marks[i].tid);
        json_string (out, t->marks[i].text);
        fputs ("}", out);
        between = ",\n    ";
      }
  fputs ("],\n", out);
}

static void
print_stack (FILE *out, const struct timeline *t, uint32_t stack)
{
  const char *name;
  fprintf (out, "{\"stack\": %" PRIu32 ", \"frames\": [", stack);
  for (size_t i = 0; (name = timeline_frame (t, stack, i)); i++)
    {
      fputs (i > 0 ? ", " : "", out);
      json_string (out, name);
    }
  fputs ("]}", out);
}

/* The stacks of samples in the window. */
static bool
print_stacks (FILE *out, const struct timeline_view *v)
{
  const struct timeline *t = v->timeline;
  const char *between = "\n    ";
  size_t n = timeline_stacks (t);
  bool *used = calloc (n + 1, sizeof *used);
  for (size_t i = 0; used && i < v->nthreads; i++)
    {
      const struct timeline_thread *thread = &t->threads[v->threads[i]];
      for (size_t k = 0; k < thread->nsamples; k++)
        if (is_shown (v, &thread->samples[k]) && thread->samples[k].stack < n)
          used[thread->samples[k].stack] = true;
    }
  fputs ("  \"stacks\": [", out);
  for (size_t i = 1; used && i < n; i++)
    if (used[i])
      {
        fputs (between, out);
        print_stack (out, t, (uint32_t) i);
        between = ",\n    ";
      }
  fputs ("],\n", out);
  bool ok = used;
  free (used);
  return ok;
}

static void
print_holders (FILE *out, const struct timeline *t, const struct lock_sums *s)
{
  fputs (", \"holders\": [", out);
  for (size_t i = 0; i < s->nholders; i++)
    {
      const struct lock_holder *h = &s->holders[i];
      fprintf (out, "%s{\"tid\": %" PRIu32 ", \"name\": ", i > 0 ? ", " : "",
               t->threads[h->thread].tid);
      json_string (out, t->threads[h->thread].name);
      fprintf (out,
               ", \"known\": %" PRIu64 ", \"inferred\": %" PRIu64 ", \"wait_ns\": %" PRIu64 "}",
               h->known, h->inferred, h->time);
    }
  fputs ("]", out);
}

static void
print_lock (FILE *out, const struct timeline *t, const struct lock_sums *s)
{
  const struct timeline_lock *l = &t->locks[s->lock];
  char text[LOCK_TEXT];
  fprintf (out, "{\"id\": %" PRIu32 ", \"address\": \"%#" PRIx64 "\", \"variable\": ", s->lock + 1,
           l->address);
  json_string (out, l->name);
  timeline_lock_text (t, l, text, sizeof text);
  fputs (", \"text\": ", out);
  json_string (out, text);
  fprintf (out,
           ", \"kind\": \"%s\", \"memory\": \"%s\", \"waits\": %" PRIu64
           ", \"inferred_waits\": %" PRIu64 ", \"wait_ns\": %" PRIu64 ", \"longest_ns\": %" PRIu64,
           timeline_lock_kind (l),
           l->name                    ? "variable"
           : l->why == BBS_WHY_THREAD ? "thread"
                                      : timeline_area_name (l->area),
           s->waits, s->inferred, s->time, s->longest);
  print_holders (out, t, s);
  fputs ("}", out);
}

/* The locks that threads of the view waited for in the window. */
static bool
print_locks (FILE *out, const struct timeline_view *v)
{
  size_t n;
  struct lock_sums *sums = lock_sums_make (v, &n);
  fputs ("  \"locks\": [", out);
  for (size_t i = 0; sums && i < n; i++)
    {
      fputs (i > 0 ? ",\n    " : "\n    ", out);
      print_lock (out, v->timeline, &sums[i]);
    }
  fputs ("],\n", out);
  const bool ok = sums;
  lock_sums_free (sums, n);
  return ok;
}

bool
timeline_emit_json (FILE *out, const struct timeline_view *v, struct error *err)
{
  const struct timeline *t = v->timeline;
  fprintf (out,
           "{\n  \"format\": \"bbprof-timeline\",\n  \"version\": %d,\n  \"program\": ", FORMAT);
  json_string (out, t->program);
  fputs (",\n  \"warning\": ", out);
  json_string (out, t->doubt);
  fprintf (out,
           ",\n  \"start_ns\": %" PRIu64 ",\n  \"end_ns\": %" PRIu64 ",\n  \"from_ns\": %" PRIu64
           ",\n  \"to_ns\": %" PRIu64 ",\n  \"cpus\": %u,\n",
           t->start, t->end, v->from, v->to, t->cpus);
  print_watch (out, t);
  print_marks (out, v);
  if (!print_stacks (out, v) || !print_locks (out, v))
    return error_no_memory (err);
  fputs ("  \"threads\": [", out);
  for (size_t i = 0; i < v->nthreads; i++)
    {
      fputs (i > 0 ? "," : "", out);
      print_thread (out, v, v->threads[i]);
    }
  fputs ("]\n}\n", out);
  return error_if_unwritten (out, err);
}
