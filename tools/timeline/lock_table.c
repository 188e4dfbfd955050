/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the page of text: sums of each lock; and, for a part of the run or of the threads, the
   longest waits one by one. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/timeline/lock_sums.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_page.h"
#include "tools/view/columns.h"
#include "tools/view/plural.h"

enum { MOST_LOCKS = 20, MOST_WAITS = 20 };

/* A thread as "NAME (TID)". */
static const char *
thread_text (char *text, size_t size, const struct timeline_page *p, uint32_t index)
{
  char name[TIMELINE_NAME];
  const struct timeline_thread *thread = &p->view->timeline->threads[index];
  snprintf (text, size, "%s (%" PRIu32 ")", timeline_page_name (name, thread->name, p->view->ascii),
            thread->tid);
  return text;
}

static const char *
source_mark (enum timeline_source source)
{
  return source == TIMELINE_INFERRED ? "?" : "";
}

static void
add_lock_text (struct columns *c, const struct timeline_page *p, uint32_t lock,
               enum timeline_source source)
{
  char text[LOCK_TEXT], name[TIMELINE_NAME];
  timeline_lock_text (p->view->timeline, &p->view->timeline->locks[lock], text, sizeof text);
  columns_add (c, "%s%s", timeline_page_name (name, text, p->view->ascii), source_mark (source));
}

static void
add_time (struct columns *c, const struct timeline_page *p, uint64_t ns)
{
  const struct timeline_unit unit = timeline_unit_of (p->view->to - p->view->from);
  columns_add (c, "%.3f", (double) ns / (double) unit.ns);
}

/* The thread that held it longest, and in how many waits. */
static void
add_holder (struct columns *c, const struct timeline_page *p, const struct lock_sums *s)
{
  char text[TIMELINE_NAME + 32];
  if (s->nholders == 0)
    {
      columns_add (c, COLUMNS_NOTHING);
      columns_add (c, COLUMNS_NOTHING);
      columns_add (c, COLUMNS_NOTHING);
      return;
    }
  columns_add (c, "%s", thread_text (text, sizeof text, p, s->holders[0].thread));
  columns_add (c, "%" PRIu64, s->holders[0].known);
  columns_add (c, "%" PRIu64, s->holders[0].inferred);
}

static bool
print_sums (FILE *out, const struct timeline_page *p, const struct lock_sums *sums, size_t n)
{
  static const struct column head[]
      = { { .title = "lock", .left = true, .gives = true },
          { .title = "kind", .left = true },
          { .title = "waits" },
          { .title = "waited" },
          { .title = "longest" },
          { .title = "mostly held by", .left = true, .gives = true },
          { .title = "known" },
          { .title = "inferred" },
          { .title = "waits in", .left = true, .gives = true, .spare = true } };
  struct columns c;
  char name[TIMELINE_NAME];
  const size_t shown = n < MOST_LOCKS ? n : MOST_LOCKS;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < shown; i++)
    {
      const struct lock_sums *s = &sums[i];
      add_lock_text (&c, p, s->lock, TIMELINE_KNOWN);
      columns_add (&c, "%s", timeline_lock_kind (&p->view->timeline->locks[s->lock]));
      columns_add (&c, "%" PRIu64, s->waits);
      add_time (&c, p, s->time);
      add_time (&c, p, s->longest);
      add_holder (&c, p, s);
      columns_add (&c, "%s",
                   s->function ? timeline_page_name (name, s->function, p->view->ascii)
                               : COLUMNS_NOTHING);
    }
  fprintf (out,
           "\nlocks: times in %s; waits for that holder, where it is known (the lock names it) or "
           "inferred\n",
           timeline_unit_of (p->view->to - p->view->from).name);
  const bool ok = columns_print (&c, out, &p->view->style);
  columns_free (&c);
  if (shown < n)
    fprintf (out, "and %zu lock%s more (--json has all)\n", n - shown, plural (n - shown));
  return ok;
}

/* Single waits. */

struct row {
  uint64_t length;
  uint32_t thread;
  const struct timeline_interval *interval;
};

static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct row *x = a, *y = b;
  (void) context;
  return x->length > y->length ? -1 : x->length < y->length;
}

static bool
find_rows (const struct timeline_view *v, struct row **rows, size_t *n)
{
  size_t room = 0;
  for (size_t i = 0; i < v->nthreads; i++)
    {
      const struct timeline_thread *thread = &v->timeline->threads[v->threads[i]];
      for (size_t k = timeline_first (thread, v->from);
           k < thread->nintervals && thread->intervals[k].start < v->to; k++)
        if (thread->intervals[k].wait)
          {
            const struct timeline_interval *is = &thread->intervals[k];
            if (!array_grow (rows, *n, &room, sizeof **rows))
              return false;
            (*rows)[(*n)++] = (struct row) { .length = is->end - is->start, v->threads[i], is };
          }
    }
  return array_sort (*rows, *n, sizeof **rows, compare_rows, NULL);
}

static void
add_role (struct columns *c, const struct timeline_page *p, uint32_t thread,
          enum timeline_source source)
{
  char text[TIMELINE_NAME + 32];
  if (source == TIMELINE_ABSENT)
    columns_add (c, COLUMNS_NOTHING);
  else
    columns_add (c, "%s%s", thread_text (text, sizeof text, p, thread), source_mark (source));
}

static bool
print_waits (FILE *out, const struct timeline_page *p)
{
  static const struct column head[] = { { .title = "thread", .left = true, .gives = true },
                                        { .title = "from" },
                                        { .title = "waited" },
                                        { .title = "lock", .left = true, .gives = true },
                                        { .title = "held by", .left = true, .gives = true },
                                        { .title = "woken by", .left = true, .gives = true } };
  struct row *rows = NULL;
  struct columns c;
  size_t n = 0;
  char text[TIMELINE_NAME + 32];
  bool ok = find_rows (p->view, &rows, &n);
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; ok && i < n && i < MOST_WAITS; i++)
    {
      const struct timeline_wait *w = timeline_wait_of (p->view->timeline, rows[i].interval);
      columns_add (&c, "%s", thread_text (text, sizeof text, p, rows[i].thread));
      add_time (&c, p, rows[i].interval->start);
      add_time (&c, p, rows[i].length);
      add_lock_text (&c, p, w->lock, w->source);
      add_role (&c, p, w->holder, w->holder_source);
      add_role (&c, p, w->waker,
                w->waker_source == TIMELINE_WAKER_ABSENT ? TIMELINE_ABSENT : TIMELINE_INFERRED);
    }
  if (n > 0)
    {
      fprintf (out, "\nthe longest waits; ? marks what is inferred\n");
      ok = columns_print (&c, out, &p->view->style);
    }
  columns_free (&c);
  free (rows);
  return ok;
}

bool
timeline_page_locks (FILE *out, const struct timeline_page *p)
{
  size_t n;
  struct lock_sums *sums = lock_sums_make (p->view, &n);
  bool ok = sums && (n == 0 || print_sums (out, p, sums, n));
  lock_sums_free (sums, n);
  return ok && (!p->view->details || print_waits (out, p));
}
