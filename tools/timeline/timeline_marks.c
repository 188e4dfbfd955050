/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markers on the page of text: numbers above the cells, and a list below.  And sums of the calls of
   MPI. */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_page.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/columns.h"
#include "tools/view/plural.h"

enum { MOST_TEXTS = 30 };

static bool
is_shown (const struct timeline_view *v, const struct timeline_mark *mark)
{
  return mark->time >= v->from && mark->time <= v->to;
}

static size_t
count (const struct timeline_view *v)
{
  size_t n = 0;
  for (size_t i = 0; i < v->timeline->nmarks; i++)
    n += is_shown (v, &v->timeline->marks[i]);
  return n;
}

/* A plus for a marker, in place of the number before if that begins in the same cell.  Markers come
   by time: any other character in the cell is the last digit of the number before, which is not
   overwritten. */
static void
put_plus (char *row, size_t cells, size_t cell, size_t number)
{
  if (number > 10 && cell > 0 && isdigit ((unsigned char) row[cell])
      && isdigit ((unsigned char) row[cell - 1]))
    return;
  for (size_t i = cell; i < cells && isdigit ((unsigned char) row[i]); i++)
    row[i] = ' ';
  row[cell] = '+';
}

/* The number of a marker begins in its cell; without room for it there is a plus. */
static void
put_number (char *row, size_t cells, size_t cell, size_t number)
{
  char text[32];
  size_t length = (size_t) snprintf (text, sizeof text, "%zu", number);
  bool free = cell + length <= cells && (cell == 0 || !isdigit ((unsigned char) row[cell - 1]));
  for (size_t i = 0; free && i < length; i++)
    free = row[cell + i] == ' ';
  if (free)
    memcpy (row + cell, text, length);
  else
    put_plus (row, cells, cell, number);
}

bool
timeline_page_marks (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  if (count (v) == 0)
    return true;
  char *row = malloc (p->scale.cells + 1);
  if (!row)
    return false;
  memset (row, ' ', p->scale.cells);
  row[p->scale.cells] = '\0';
  for (size_t i = 0, number = 0; i < v->timeline->nmarks; i++)
    if (is_shown (v, &v->timeline->marks[i]))
      put_number (row, p->scale.cells, timeline_scale_cell (&p->scale, v->timeline->marks[i].time),
                  ++number);
  timeline_page_label (out, p, "marks");
  fputs (row, out);
  timeline_page_end (out, p);
  free (row);
  return true;
}

bool
timeline_page_texts (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  const struct timeline_unit unit = timeline_unit_of (v->to - v->from);
  const struct column head[] = { { .title = "mark" },
                                 { .title = unit.name },
                                 { .title = "thread", .left = true },
                                 { .title = "text", .left = true } };
  const struct timeline *t = v->timeline;
  size_t n = count (v);
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0, number = 0; i < t->nmarks && number < MOST_TEXTS; i++)
    if (is_shown (v, &t->marks[i]))
      {
        char name[TIMELINE_NAME], text[TIMELINE_NAME];
        uint32_t thread = t->marks[i].thread;
        columns_add (&c, "%zu", ++number);
        columns_add (&c, "%.3f", (double) t->marks[i].time / (double) unit.ns);
        columns_add (&c, "%s",
                     thread < t->nthreads
                         ? timeline_page_name (name, t->threads[thread].name, v->ascii)
                         : COLUMNS_NOTHING);
        columns_add (&c, "%s", timeline_page_name (text, t->marks[i].text, v->ascii));
      }
  if (n > 0)
    fputc ('\n', out);
  bool ok = columns_print (&c, out, &v->style);
  if (n > MOST_TEXTS)
    fprintf (out, "and %zu mark%s more\n", n - MOST_TEXTS, plural (n - MOST_TEXTS));
  columns_free (&c);
  return ok;
}

/* Calls of MPI: of a function by a thread, as far as they are in the window. */
struct mpi_sum {
  const struct timeline_thread *thread;
  const char *name;
  uint64_t calls, time, longest, at; /* AT: start of the longest */
};

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct mpi_sum *x = a, *y = b;
  (void) context;
  return strcmp (x->name, y->name);
}

static int
compare_times (const void *a, const void *b, void *context)
{
  const struct mpi_sum *x = a, *y = b;
  (void) context;
  return x->time < y->time ? 1 : -(x->time > y->time);
}

static void
unite_sums (struct mpi_sum *kept, const struct mpi_sum *other)
{
  kept->calls += other->calls;
  kept->time += other->time;
  if (other->longest > kept->longest)
    {
      kept->longest = other->longest;
      kept->at = other->at;
    }
}

/* Fills SUMS with one for each function that THREAD called, by name; returns how many. */
static size_t
sum_calls (const struct timeline_view *v, const struct timeline_thread *thread,
           struct mpi_sum *sums)
{
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < thread->nmpi_calls; i++)
    {
      const struct timeline_mpi_call *call = &thread->mpi_calls[i];
      uint64_t from, to;
      if (timeline_view_mpi_call (v, call, &from, &to))
        sums[n++] = (struct mpi_sum) { thread, call->name, 1, to - from, to - from, call->start };
    }
  if (!array_sort (sums, n, sizeof *sums, compare_names, NULL))
    return 0;
  for (size_t i = 0; i < n; i++)
    if (kept > 0 && strcmp (sums[kept - 1].name, sums[i].name) == 0)
      unite_sums (&sums[kept - 1], &sums[i]);
    else
      sums[kept++] = sums[i];
  return kept;
}

static bool
print_sums (FILE *out, const struct timeline_view *v, const struct mpi_sum *sums, size_t n)
{
  const struct timeline_unit unit = timeline_unit_of (v->to - v->from);
  const struct column head[] = { { .title = "thread", .left = true, .gives = true },
                                 { .title = "MPI", .left = true },
                                 { .title = "calls" },
                                 { .title = unit.name },
                                 { .title = "longest" },
                                 { .title = "at" } };
  struct columns c;
  columns_open (&c, head, sizeof head / sizeof *head);
  for (size_t i = 0; i < n && i < MOST_TEXTS; i++)
    {
      char name[TIMELINE_NAME];
      columns_add (&c, "%s", timeline_page_name (name, sums[i].thread->name, v->ascii));
      columns_add (&c, "%s", sums[i].name);
      columns_add (&c, "%" PRIu64, sums[i].calls);
      columns_add (&c, "%.3f", (double) sums[i].time / (double) unit.ns);
      columns_add (&c, "%.3f", (double) sums[i].longest / (double) unit.ns);
      columns_add (&c, "%.3f", (double) sums[i].at / (double) unit.ns);
    }
  fputc ('\n', out);
  const bool ok = columns_print (&c, out, &v->style);
  if (n > MOST_TEXTS)
    fprintf (out, "and %zu function%s more\n", n - MOST_TEXTS, plural (n - MOST_TEXTS));
  columns_free (&c);
  return ok;
}

bool
timeline_page_mpi (FILE *out, const struct timeline_page *p)
{
  const struct timeline *t = p->view->timeline;
  size_t most = 0, n = 0;
  for (size_t i = 0; i < p->view->nthreads; i++)
    most += t->threads[p->view->threads[i]].nmpi_calls;
  struct mpi_sum *sums = malloc ((most + 1) * sizeof *sums);
  if (!sums)
    return false;
  for (size_t i = 0; i < p->view->nthreads; i++)
    n += sum_calls (p->view, &t->threads[p->view->threads[i]], sums + n);
  bool ok = array_sort (sums, n, sizeof *sums, compare_times, NULL);
  ok = ok && (n == 0 || print_sums (out, p->view, sums, n));
  free (sums);
  return ok;
}
