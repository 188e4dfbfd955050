/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON of a timeline.  tools/page/timeline/data.js reads it: both have to agree.  Lists of
   numbers are strings (web_numbers.h). */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/streams/watched.h"
#include "tools/timeline/lock_sums.h"
#include "tools/page/web_names.h"
#include "tools/page/web_numbers.h"
#include "tools/timeline/timeline_data.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/json.h"

/* Frames of a stack that are shown. */
#define FRAMES_MOST 64
/* System calls with numbers below this are distinguished. */
#define CALLS 1024

struct page {
  FILE *out;
  const struct timeline_view *view;
  const struct timeline_nodes *nodes; /* null: the data has its own list of stacks */
  /* By enum bbs_why and system call: 1 + place in the list; 0: not in it. */
  uint32_t (*reasons)[CALLS];
  char **texts; /* texts of the reasons, in the order of the list; each is fresh memory */
  bool *locks;  /* for each of them: it is a lock */
  size_t nreasons;
  uint32_t *people; /* by thread: 1 + place in the list of holders and wakers; 0: not in it */
  uint32_t *listed; /* the threads of that list */
  size_t nlisted;
  uint32_t *stacks; /* by stack: 1 + place in the list; 0: not in it */
  uint32_t *used;   /* the stacks of the list */
  size_t nused;
  struct web_names names; /* of functions */
  bool ok;                /* false: out of memory */
};

static uint64_t
max (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static uint64_t
min (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* The place of INTERVAL's wait reason in the list. */
static uint32_t
reason (struct page *p, const struct timeline_interval *interval)
{
  unsigned why = interval->why < BBS_WHYS ? interval->why : BBS_WHY_NOT_KNOWN;
  int call = interval->call - BBS_CALL_NOT_KNOWN;
  uint32_t *place = &p->reasons[why][call > 0 && call < CALLS ? call : 0];
  if (*place == 0)
    {
      char text[128];
      timeline_reason (interval, text, sizeof text);
      p->texts[p->nreasons] = strdup (text);
      p->ok = p->ok && p->texts[p->nreasons];
      p->locks[p->nreasons] = watched_is_lock (why);
      *place = (uint32_t) ++p->nreasons;
    }
  return *place - 1;
}

/* Two bits: the state.  One bit: estimated.  Then, running: 1 + processor, or 0; ready: preempted;
   sleeping: place of the reason. */
static uint64_t
code (struct page *p, const struct timeline_interval *interval)
{
  uint64_t detail = 0;
  if (interval->state == TIMELINE_RUNNING)
    detail = interval->cpu == BBS_CPU_UNKNOWN ? 0 : interval->cpu + 1u;
  else if (interval->state == TIMELINE_READY)
    detail = interval->preempted;
  else if (interval->state == TIMELINE_SLEEPING)
    detail = reason (p, interval);
  return detail << 3 | (uint64_t) interval->estimated << 2 | (interval->state & 3u);
}

/* The switches of each kind since BEFORE: a bit for each kind, or 8 and three numbers. */
static void
put_counts (FILE *out, const struct timeline_counts *before, const struct timeline_counts *now)
{
  const uint32_t voluntary = now->voluntary - before->voluntary,
                 involuntary = now->involuntary - before->involuntary;
  const uint32_t migrations = now->migrations - before->migrations;
  const bool many = voluntary > 1 || involuntary > 1 || migrations > 1;
  web_number (out, many ? 8 : migrations << 2 | involuntary << 1 | voluntary);
  if (!many)
    return;
  web_number (out, voluntary);
  web_number (out, involuntary);
  web_number (out, migrations);
}

/* For each interval: its length, cut to the window; its code; the switches since the begin of the
   interval before, or of the window. */
static void
put_intervals (struct page *p, const struct timeline_thread *thread)
{
  struct timeline_counts before = timeline_counts_before (thread, p->view->from);
  for (size_t i = 0; i < thread->nintervals; i++)
    {
      const struct timeline_interval *interval = &thread->intervals[i];
      uint64_t from = max (interval->start, p->view->from), to = min (interval->end, p->view->to);
      if (from >= to)
        continue;
      web_number (p->out, to - from);
      web_number (p->out, code (p, interval));
      put_counts (p->out, &before, &interval->counts);
      before = interval->counts;
    }
}

/* 1 + the place of a holder or waker in the list; 0: unknown. */
static uint32_t
person (struct page *p, uint32_t thread)
{
  if (thread >= p->view->timeline->nthreads)
    return 0;
  if (p->people[thread] == 0)
    {
      p->listed[p->nlisted] = thread;
      p->people[thread] = (uint32_t) ++p->nlisted;
    }
  return p->people[thread];
}

static void
put_wait (struct page *p, const struct timeline_wait *w)
{
  size_t function = 0;
  if (w->function)
    p->ok = p->ok && web_names_number (&p->names, w->function, &function);
  web_number (p->out, (uint64_t) w->lock << 1 | (w->source == TIMELINE_INFERRED));
  web_number (p->out, person (p, w->holder));
  web_number (p->out, w->holder_source);
  web_number (p->out, person (p, w->waker));
  web_number (p->out, w->waker_source);
  web_number (p->out, w->function ? function + 1 : 0);
}

/* For each wait for a lock: the number of intervals since the one before, or since the window's
   begin; then the six numbers of put_wait. */
static void
put_waits (struct page *p, const struct timeline_thread *thread)
{
  uint64_t between = 0;
  for (size_t i = 0; i < thread->nintervals; i++)
    {
      const struct timeline_interval *interval = &thread->intervals[i];
      const struct timeline_wait *wait = timeline_wait_of (p->view->timeline, interval);
      if (max (interval->start, p->view->from) >= min (interval->end, p->view->to))
        continue;
      if (wait)
        {
          web_number (p->out, between);
          put_wait (p, wait);
        }
      between = wait ? 0 : between + 1;
    }
}

/* The number of a stack in the page; false: it has none. */
static bool
stack_place (struct page *p, uint32_t stack, uint32_t *place)
{
  if (p->nodes)
    {
      *place = stack <= p->nodes->n ? p->nodes->numbers[stack - 1] : UINT32_MAX;
      return *place != UINT32_MAX;
    }
  if (p->stacks[stack] == 0)
    {
      p->used[p->nused] = stack;
      p->stacks[stack] = (uint32_t) ++p->nused;
    }
  *place = p->stacks[stack] - 1;
  return true;
}

/* For each sample: the time since the one before, or since the window's begin; its stack; twice its
   ticks, and 1 if the thread slept. */
static void
put_samples (struct page *p, const struct timeline_thread *thread)
{
  uint64_t before = p->view->from;
  uint32_t place;
  size_t stacks = timeline_stacks (p->view->timeline);
  for (size_t i = 0; i < thread->nsamples; i++)
    {
      const struct timeline_sample *sample = &thread->samples[i];
      if (sample->time < before || sample->time >= p->view->to || sample->stack == 0
          || sample->stack >= stacks || !stack_place (p, sample->stack, &place))
        continue;
      web_number (p->out, sample->time - before);
      web_number (p->out, place);
      web_number (p->out, (uint64_t) sample->ticks << 1 | sample->sleeps);
      before = sample->time;
    }
}

/* For each call of MPI: the time since the start of the one before, or since the window's begin;
   its length, cut to the window; 1 + the number of its name. */
static void
put_mpi_calls (struct page *p, const struct timeline_thread *thread)
{
  uint64_t before = p->view->from;
  for (size_t i = 0; i < thread->nmpi_calls; i++)
    {
      const struct timeline_mpi_call *call = &thread->mpi_calls[i];
      uint64_t from, to;
      size_t name = 0;
      if (!timeline_view_mpi_call (p->view, call, &from, &to))
        continue;
      p->ok = p->ok && web_names_number (&p->names, call->name, &name);
      web_number (p->out, from - before);
      web_number (p->out, to - from);
      web_number (p->out, name + 1);
      before = from;
    }
}

static void
put_thread (struct page *p, const struct timeline_thread *thread)
{
  const struct timeline_sums sums = timeline_sum (thread, p->view->from, p->view->to);
  fputs ("{\"name\":", p->out);
  json_string_in_html (p->out, thread->name);
  fprintf (p->out, ",\"tid\":%" PRIu32 ",\"begun\":%" PRIu64, thread->tid,
           max (thread->begun, p->view->from));
  fprintf (p->out, ",\"switches\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", sums.voluntary,
           sums.involuntary, sums.migrations);
  if (thread->cpu != BBS_NOT_KNOWN)
    fprintf (p->out, ",\"cpu\":%" PRIu64, thread->cpu);
  fputs (",\"intervals\":\"", p->out);
  put_intervals (p, thread);
  fputs ("\",\"waits\":\"", p->out);
  put_waits (p, thread);
  fputs ("\",\"samples\":\"", p->out);
  put_samples (p, thread);
  fputs ("\",\"mpi\":\"", p->out);
  put_mpi_calls (p, thread);
  fputs ("\"}", p->out);
}

/* The row of the thread with that index; -1: it has none. */
static int64_t
row_of (const struct timeline_view *view, uint32_t thread)
{
  for (size_t i = 0; i < view->nthreads; i++)
    if (view->threads[i] == thread)
      return (int64_t) i;
  return -1;
}

static void
put_marks (struct page *p)
{
  const char *comma = "";
  for (size_t i = 0; i < p->view->timeline->nmarks; i++)
    {
      const struct timeline_mark *mark = &p->view->timeline->marks[i];
      if (mark->time < p->view->from || mark->time > p->view->to)
        continue;
      fprintf (p->out, "%s[%" PRIu64 ",%" PRId64 ",", comma, mark->time,
               row_of (p->view, mark->thread));
      json_string_in_html (p->out, mark->text);
      fputc (']', p->out);
      comma = ",\n";
    }
}

/* Each stack as numbers of names. */
static void
put_stacks (struct page *p)
{
  for (size_t i = 0; i < p->nused; i++)
    {
      const char *name;
      size_t number;
      fputs (i ? ",\"" : "\"", p->out);
      for (size_t n = 0;
           n < FRAMES_MOST && (name = timeline_frame (p->view->timeline, p->used[i], n)); n++)
        {
          p->ok = p->ok && web_names_number (&p->names, name, &number);
          web_number (p->out, p->ok ? number : 0);
        }
      fputc ('"', p->out);
    }
}

static void
put_locks (struct page *p)
{
  const struct timeline *t = p->view->timeline;
  fputs (",\n\"lockList\":[", p->out);
  for (size_t i = 0; i < t->nlocks; i++)
    {
      char text[LOCK_TEXT];
      timeline_lock_text (t, &t->locks[i], text, sizeof text);
      fputs (i ? ",[" : "[", p->out);
      json_string_in_html (p->out, text);
      fprintf (p->out, ",\"%s\"]", timeline_lock_kind (&t->locks[i]));
    }
  fputs ("],\n\"people\":[", p->out);
  for (size_t i = 0; i < p->nlisted; i++)
    {
      char text[LOCK_TEXT];
      const struct timeline_thread *thread = &t->threads[p->listed[i]];
      snprintf (text, sizeof text, "%s (%" PRIu32 ")", thread->name, thread->tid);
      fputs (i ? "," : "", p->out);
      json_string_in_html (p->out, text);
    }
  fputs ("],\n\"wakers\":[", p->out);
  for (int i = 0; i <= TIMELINE_WAKER_ONLY; i++)
    fprintf (p->out, "%s\"%s\"", i ? "," : "", timeline_waker_name (i));
  fputs ("]", p->out);
}

static void
put_data (struct page *p)
{
  const struct timeline *t = p->view->timeline;
  fputs ("{\"program\":", p->out);
  json_string_in_html (p->out, t->program);
  fputs (",\"warning\":", p->out);
  json_string_in_html (p->out, t->doubt ? t->doubt : "");
  fprintf (p->out, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"polled\":%s,\"rate\":%" PRIu32,
           p->view->from, p->view->to, t->watch.how == BBS_BY_POLLS ? "true" : "false",
           t->watch.rate);
  fprintf (p->out, ",\"own\":%" PRIu64, t->own_ns);
  fprintf (p->out, ",\"lost\":%" PRIu64 ",\"lostMarks\":%" PRIu64 ",\"lostMpi\":%" PRIu64, t->lost,
           t->lost_marks, t->lost_mpi_calls);
  fprintf (p->out, ",\"byCpu\":%s,\"threads\":[\n", p->view->by_cpu ? "true" : "false");
  for (size_t i = 0; i < p->view->nthreads; i++)
    {
      fputs (i ? ",\n" : "", p->out);
      put_thread (p, &t->threads[p->view->threads[i]]);
    }
  fputs ("],\n\"marks\":[", p->out);
  put_marks (p);
  fputs ("],\n\"stacks\":[", p->out);
  put_stacks (p);
  fputs ("],\n\"names\":", p->out);
  web_names_print (p->out, &p->names);
  fputs (",\n\"reasons\":[", p->out);
  for (size_t i = 0; i < p->nreasons; i++)
    {
      fputs (i ? "," : "", p->out);
      json_string_in_html (p->out, p->texts[i] ? p->texts[i] : "");
    }
  fputs ("],\"locks\":[", p->out);
  for (size_t i = 0; i < p->nreasons; i++)
    fprintf (p->out, "%s%d", i ? "," : "", p->locks[i]);
  fputs ("]", p->out);
  put_locks (p);
  fputs ("}", p->out);
}

bool
timeline_put_data (FILE *out, const struct timeline_view *view, const struct timeline_nodes *nodes)
{
  struct page p = { .out = out, .view = view, .nodes = nodes };
  size_t stacks = timeline_stacks (view->timeline);
  p.reasons = calloc (BBS_WHYS, sizeof *p.reasons);
  p.texts = calloc (BBS_WHYS * CALLS, sizeof *p.texts);
  p.locks = calloc (BBS_WHYS * CALLS, sizeof *p.locks);
  p.stacks = calloc (stacks + 1, sizeof *p.stacks);
  p.used = calloc (stacks + 1, sizeof *p.used);
  p.people = calloc (view->timeline->nthreads + 1, sizeof *p.people);
  p.listed = calloc (view->timeline->nthreads + 1, sizeof *p.listed);
  p.ok = p.reasons && p.texts && p.locks && p.stacks && p.used && p.people && p.listed;
  if (p.ok)
    put_data (&p);
  for (size_t i = 0; i < p.nreasons; i++)
    free (p.texts[i]);
  free (p.reasons);
  free (p.texts);
  free (p.locks);
  free (p.people);
  free (p.listed);
  free (p.stacks);
  free (p.used);
  web_names_free (&p.names);
  return p.ok;
}
