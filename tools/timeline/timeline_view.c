/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/arguments/thread_choice.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/duration.h"

#define MARK "mark:"

/* Parses the times that choose the window. */

/* A time, or a part of the run. */
static bool
parse_time (const struct timeline *t, const char *text, uint64_t *time)
{
  char *end;
  double percent = strtod (text, &end);
  if (end == text || strcmp (end, "%") != 0)
    return duration_parse (text, time);
  *time = t->start + (uint64_t) ((double) (t->end - t->start) * percent / 100);
  return percent >= 0 && percent <= 100;
}

/* The first marker with that TEXT at TIME or later; null: there is none. */
static const struct timeline_mark *
find_mark (const struct timeline *t, const char *text, uint64_t time)
{
  for (size_t i = 0; i < t->nmarks; i++)
    if (t->marks[i].time >= time
        && (strcmp (t->marks[i].text, text) == 0 || fnmatch (text, t->marks[i].text, 0) == 0))
      return &t->marks[i];
  return NULL;
}

static bool
take_mark (const struct timeline *t, const char *text, uint64_t after, uint64_t *time,
           struct error *err)
{
  const struct timeline_mark *mark = find_mark (t, text, after);
  if (mark)
    *time = mark->time;
  return mark
         || error_set (err, NULL, ERROR_NO_OFFSET, "there is no mark '%.60s'%s", text,
                       after > t->start ? " behind --from" : "");
}

static bool
take_time (const struct timeline *t, const char *option, const char *text, uint64_t after,
           uint64_t *time, struct error *err)
{
  if (strncmp (text, MARK, strlen (MARK)) == 0)
    return take_mark (t, text + strlen (MARK), after, time, err);
  return parse_time (t, text, time)
         || error_set (
             err, NULL, ERROR_NO_OFFSET,
             "%s: '%.60s' is not a time (1.5, 200ms), a part of the run (25%%) or mark:TEXT",
             option, text);
}

/* TEXT[,SPAN]. */
static bool
take_around (struct timeline_view *v, const char *around, struct error *err)
{
  const struct timeline *t = v->timeline;
  uint64_t span = (t->end - t->start) / 20, time = 0;
  const char *comma = strrchr (around, ',');
  bool spans = comma && duration_parse (comma + 1, &span);
  char *text = spans ? strndup (around, (size_t) (comma - around)) : strdup (around);
  if (!text)
    return error_no_memory (err);
  bool marked = strncmp (text, MARK, strlen (MARK)) == 0;
  bool ok = (!marked && parse_time (t, text, &time))
            || take_mark (t, marked ? text + strlen (MARK) : text, t->start, &time, err);
  free (text);
  v->from = time > span ? time - span : 0;
  v->to = time + span;
  return ok;
}

static bool
choose_window (struct timeline_view *v, const struct timeline_choice *c, struct error *err)
{
  const struct timeline *t = v->timeline;
  v->from = t->start;
  v->to = t->end;
  if (c->around ? !take_around (v, c->around, err)
                : (c->from && !take_time (t, "--from", c->from, t->start, &v->from, err))
                      || (c->to && !take_time (t, "--to", c->to, v->from, &v->to, err)))
    return false;
  if (v->from >= v->to && (c->from || c->to || c->around))
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "nothing is between --from (%.9f s) and --to (%.9f s)",
                      (double) v->from / 1e9, (double) v->to / 1e9);
  if (v->from >= t->end || v->to <= t->start)
    return error_set (
        err, NULL, ERROR_NO_OFFSET,
        "threads were watched from %.9f to %.9f s of the run; nothing is known of %.9f to %.9f",
        (double) t->start / 1e9, (double) t->end / 1e9, (double) v->from / 1e9,
        (double) v->to / 1e9);
  v->from = v->from > t->start ? v->from : t->start;
  v->to = v->to < t->end ? v->to : t->end;
  return true;
}

/* Threads. */

static bool
is_in_list (const struct timeline_thread *thread, const char *list)
{
  return thread_choice_is (list, thread->name, thread->number > 0 ? (int64_t) thread->number : -1,
                           thread->tid);
}

static bool
lives (const struct timeline_view *v, const struct timeline_thread *thread)
{
  return thread->begun < v->to && thread->ended > v->from;
}

struct row {
  uint32_t index;
  uint64_t key; /* small ones come first */
  const char *name;
};

static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct row *x = a, *y = b;
  (void) context;
  if (x->name && strcmp (x->name, y->name) != 0)
    return strcmp (x->name, y->name);
  return x->key < y->key ? -1 : x->key > y->key;
}

static struct row
make_row (const struct timeline_view *v, uint32_t index, enum timeline_sort sort)
{
  const struct timeline_thread *thread = &v->timeline->threads[index];
  struct row row = { .index = index, .key = index };
  if (sort == TIMELINE_BY_NAME)
    row.name = thread->name;
  else if (sort != TIMELINE_BY_BIRTH)
    row.key = UINT64_MAX
              - timeline_view_sums (v, thread)
                    .time[sort == TIMELINE_BY_CPU ? TIMELINE_RUNNING : TIMELINE_READY];
  return row;
}

static bool
choose_threads (struct timeline_view *v, const struct timeline_choice *c, struct error *err)
{
  const struct timeline *t = v->timeline;
  struct row *rows = malloc ((t->nthreads + 1) * sizeof *rows);
  uint32_t *threads = malloc ((t->nthreads + 1) * sizeof *threads);
  size_t n = 0, named = 0;
  for (uint32_t i = 0; rows && threads && i < t->nthreads; i++)
    if (!c->threads || is_in_list (&t->threads[i], c->threads))
      {
        named++;
        if (lives (v, &t->threads[i]))
          rows[n++] = make_row (v, i, c->sort);
      }
  bool ok = rows && threads && array_sort (rows, n, sizeof *rows, compare_rows, NULL);
  for (size_t i = 0; ok && i < n; i++)
    threads[i] = rows[i].index;
  free (rows);
  v->threads = threads;
  v->nthreads = n;
  if (!ok)
    return error_no_memory (err);
  if (n == 0 && c->threads)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      named > 0 ? "no thread '%.60s' lived then" : "there is no thread '%.60s'",
                      c->threads);
  return true;
}

bool
timeline_view_make (struct timeline_view *v, const struct timeline *t,
                    const struct timeline_choice *c, struct error *err)
{
  v->timeline = t;
  v->threads = NULL;
  v->nthreads = 0;
  v->details = c->threads || c->from || c->to || c->around;
  return choose_window (v, c, err) && choose_threads (v, c, err);
}

void
timeline_view_free (struct timeline_view *v)
{
  free ((void *) v->threads);
  v->threads = NULL;
}

struct timeline_sums
timeline_view_sums (const struct timeline_view *v, const struct timeline_thread *thread)
{
  return timeline_sum (thread, v->from, v->to);
}

bool
timeline_view_mpi_call (const struct timeline_view *v, const struct timeline_mpi_call *call,
                        uint64_t *from, uint64_t *to)
{
  *from = call->start > v->from ? call->start : v->from;
  *to = call->end < v->to ? call->end : v->to;
  return *from < *to;
}
