/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Trace Event Format, which ui.perfetto.dev and chrome://tracing read: for each thread a slice
   for each interval, for each processor a slice for each run; markers and samples as instants.  A
   sample has its stack as an argument, because perfetto shows no other form of it.  Calls of MPI
   begin and end within intervals, and slices of a track may not overlap in part: so they have a
   track of their own below the thread's. */
#include "config.h"

#include <inttypes.h>

#include "tools/timeline/lock_sums.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/json.h"

/* The process and thread numbers of processors: above any that Linux has (4194304).  And what is
   added to a thread's for its calls of MPI: above all these. */
enum { PROCESSORS = 4194305, MPI_CALLS = 2 * PROCESSORS };
enum { REASON = 64 };

static uint32_t
pid_of (const struct timeline *t)
{
  return t->nthreads > 0 ? t->threads[0].tid : 1;
}

/* In microseconds. */
static void
print_time (FILE *out, const char *name, uint64_t ns)
{
  fprintf (out, ", \"%s\": %" PRIu64 ".%03u", name, ns / 1000, (unsigned) (ns % 1000));
}

/* WHAT: process_name or thread_name; with its place in the order. */
static void
print_name (FILE *out, const char *what, uint32_t pid, uint32_t tid, const char *name, size_t place)
{
  fprintf (out,
           "{\"ph\": \"M\", \"name\": \"%s_name\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32
           ", \"args\": {\"name\": ",
           what, pid, tid);
  json_string (out, name);
  fprintf (out,
           "}},\n{\"ph\": \"M\", \"name\": \"%s_sort_index\", \"pid\": %" PRIu32
           ", \"tid\": %" PRIu32,
           what, pid, tid);
  fprintf (out, ", \"args\": {\"sort_index\": %zu}},\n", place);
}

/* Of thread I of the view: its own track, and that of its calls of MPI. */
static void
print_thread_names (FILE *out, const struct timeline_view *v, size_t i)
{
  const struct timeline_thread *thread = &v->timeline->threads[v->threads[i]];
  print_name (out, "thread", pid_of (v->timeline), thread->tid, thread->name, 2 * i);
  if (thread->nmpi_calls > 0)
    print_name (out, "thread", pid_of (v->timeline), MPI_CALLS + thread->tid, "in MPI", 2 * i + 1);
}

static void
print_names (FILE *out, const struct timeline_view *v)
{
  const struct timeline *t = v->timeline;
  print_name (out, "process", pid_of (t), pid_of (t), t->program ? t->program : "program", 0);
  for (size_t i = 0; i < v->nthreads; i++)
    print_thread_names (out, v, i);
  print_name (out, "process", PROCESSORS, PROCESSORS, "processors", 1);
  for (unsigned i = 0; i < t->cpus; i++)
    {
      char name[24];
      snprintf (name, sizeof name, "cpu %u", i);
      print_name (out, "thread", PROCESSORS, PROCESSORS + i, name, i);
    }
}

/* The begin of an event, up to its name. */
static void
begin (FILE *out, const char *phase, uint32_t pid, uint32_t tid, const char *category,
       uint64_t time)
{
  fprintf (out, "{\"ph\": \"%s\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"cat\": \"%s\"",
           phase, pid, tid, category);
  print_time (out, "ts", time);
}

/* Arguments for lock, holder and waker. */
static void
print_wait (FILE *out, const struct timeline *t, const struct timeline_wait *w)
{
  char text[LOCK_TEXT];
  timeline_lock_text (t, &t->locks[w->lock], text, sizeof text);
  fputs (", \"lock\": ", out);
  json_string (out, text);
  fprintf (out, ", \"lock_source\": \"%s\"", timeline_source_name (w->source));
  if (w->holder_source != TIMELINE_ABSENT)
    fprintf (out, ", \"holder_tid\": %" PRIu32 ", \"holder_source\": \"%s\"",
             t->threads[w->holder].tid, timeline_source_name (w->holder_source));
  if (w->waker_source != TIMELINE_WAKER_ABSENT)
    fprintf (out, ", \"waker_tid\": %" PRIu32 ", \"waker_source\": \"inferred\"",
             t->threads[w->waker].tid);
}

static void
print_slice (FILE *out, const struct timeline_view *v, const struct timeline_thread *thread,
             const struct timeline_interval *i)
{
  static const char *const colours[] = { [TIMELINE_RUNNING] = "thread_state_running",
                                         [TIMELINE_READY] = "thread_state_runnable",
                                         [TIMELINE_SLEEPING] = "thread_state_sleeping",
                                         [TIMELINE_UNKNOWN] = "thread_state_unknown" };
  const char *state = timeline_state_name (i->state);
  uint64_t start = i->start > v->from ? i->start : v->from, end = i->end < v->to ? i->end : v->to;
  char reason[REASON] = "";
  if (i->state == TIMELINE_SLEEPING)
    timeline_reason (i, reason, sizeof reason);
  begin (out, "X", pid_of (v->timeline), thread->tid, state, start);
  print_time (out, "dur", end - start);
  fputs (", \"name\": ", out);
  json_string (out, *reason ? reason : state);
  fprintf (out, ", \"cname\": \"%s\", \"args\": {\"state\": \"%s\"", colours[i->state], state);
  if (i->state == TIMELINE_RUNNING && i->cpu != BBS_CPU_UNKNOWN)
    fprintf (out, ", \"cpu\": %u", i->cpu);
  if (i->state == TIMELINE_READY)
    fprintf (out, ", \"because\": \"%s\"", i->preempted ? "preempted" : "woken up");
  if (timeline_wait_of (v->timeline, i))
    print_wait (out, v->timeline, timeline_wait_of (v->timeline, i));
  fprintf (out, "%s}},\n", i->estimated ? ", \"estimated\": true" : "");
  /* Slices must not overlap, but estimates of two threads may. */
  if (i->state != TIMELINE_RUNNING || i->cpu == BBS_CPU_UNKNOWN || i->estimated)
    return;
  begin (out, "X", PROCESSORS, PROCESSORS + i->cpu, "cpu", start);
  print_time (out, "dur", end - start);
  fputs (", \"name\": ", out);
  json_string (out, thread->name);
  fprintf (out, ", \"args\": {\"tid\": %" PRIu32 "}},\n", thread->tid);
}

static void
print_mpi_call (FILE *out, const struct timeline_view *v, const struct timeline_thread *thread,
                const struct timeline_mpi_call *call)
{
  uint64_t from, to;
  if (!timeline_view_mpi_call (v, call, &from, &to))
    return;
  begin (out, "X", pid_of (v->timeline), MPI_CALLS + thread->tid, "mpi", from);
  print_time (out, "dur", to - from);
  fprintf (out, ", \"name\": \"%s\", \"args\": {\"tid\": %" PRIu32 "}},\n", call->name,
           thread->tid);
}

static void
print_sample (FILE *out, const struct timeline *t, const struct timeline_thread *thread,
              const struct timeline_sample *s)
{
  const char *name = timeline_frame (t, s->stack, 0);
  begin (out, "i", pid_of (t), thread->tid, "sample", s->time);
  fputs (", \"s\": \"t\", \"name\": ", out);
  json_string (out, name ? name : "sample");
  fprintf (out, ", \"args\": {\"ticks\": %u, \"stack\": [", s->ticks);
  for (size_t i = 0; (name = timeline_frame (t, s->stack, i)); i++)
    {
      fputs (i > 0 ? ", " : "", out);
      json_string (out, name);
    }
  fputs ("]}},\n", out);
}

static void
print_thread (FILE *out, const struct timeline_view *v, const struct timeline_thread *thread)
{
  for (size_t i = timeline_first (thread, v->from);
       i < thread->nintervals && thread->intervals[i].start < v->to; i++)
    print_slice (out, v, thread, &thread->intervals[i]);
  for (size_t i = 0; i < thread->nsamples; i++)
    if (thread->samples[i].time >= v->from && thread->samples[i].time < v->to)
      print_sample (out, v->timeline, thread, &thread->samples[i]);
  for (size_t i = 0; i < thread->nmpi_calls; i++)
    print_mpi_call (out, v, thread, &thread->mpi_calls[i]);
}

static void
print_marks (FILE *out, const struct timeline_view *v)
{
  const struct timeline *t = v->timeline;
  for (size_t i = 0; i < t->nmarks; i++)
    {
      const struct timeline_mark *mark = &t->marks[i];
      bool known = mark->thread < t->nthreads;
      if (mark->time < v->from || mark->time > v->to)
        continue;
      begin (out, "i", pid_of (t), known ? t->threads[mark->thread].tid : pid_of (t), "mark",
             mark->time);
      fprintf (out, ", \"s\": \"%s\", \"name\": ", known ? "t" : "p");
      json_string (out, mark->text);
      fputs ("},\n", out);
    }
}

/* The last event, without a comma behind it. */
static void
print_end (FILE *out, const struct timeline_view *v)
{
  begin (out, "i", pid_of (v->timeline), pid_of (v->timeline), "end", v->to);
  fputs (", \"s\": \"p\", \"name\": \"end\"}\n]}\n", out);
}

bool
timeline_emit_chrome (FILE *out, const struct timeline_view *v, struct error *err)
{
  const struct timeline *t = v->timeline;
  fputs ("{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"program\": ", out);
  json_string (out, t->program);
  if (t->doubt)
    {
      fputs (", \"warning\": ", out);
      json_string (out, t->doubt);
    }
  fprintf (out,
           ", \"watched_by\": \"%s\", \"lost_switches\": %" PRIu64 ", \"lost_marks\": %" PRIu64
           ", \"lost_mpi_calls\": %" PRIu64 "},\n\"traceEvents\": [\n",
           t->watch.how == BBS_BY_EVENTS ? "events" : "polls", t->lost, t->lost_marks,
           t->lost_mpi_calls);
  print_names (out, v);
  for (size_t i = 0; i < v->nthreads; i++)
    print_thread (out, v, &t->threads[v->threads[i]]);
  print_marks (out, v);
  print_end (out, v);
  return error_if_unwritten (out, err);
}
