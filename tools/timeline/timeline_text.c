/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of text: how threads were watched, a ruler, a row for each thread, the legend, the
   markers and the sums. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/header.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_page.h"
#include "tools/timeline/timeline_strip.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/plural.h"
#include "tools/view/short_name.h"

enum { LEAST_CELLS = 10, LEAST_LABEL = 6, FRAME = 2, DEFAULT_COLUMNS = 100 };

/* NAME, at the right its tid if there is room, and in front KEY if processors have rows. */
static void
print_thread_label (FILE *out, const struct timeline_page *p, const struct timeline_thread *thread,
                    size_t row)
{
  char name[TIMELINE_NAME], text[TIMELINE_NAME + 16], tid[16] = "";
  timeline_page_name (name, thread->name, p->view->ascii);
  if (p->view->by_cpu)
    {
      timeline_strip_print_key (out, &p->view->style, row);
      fputc (' ', out);
    }
  if (p->tids)
    snprintf (tid, sizeof tid, " %" PRIu32, thread->tid);
  size_t room = p->label - (p->view->by_cpu ? 2 : 0), length = strlen (tid),
         columns = short_name_columns (name);
  size_t given = room > length ? room - length : 0, taken = columns < given ? columns : given;
  snprintf (text, sizeof text, "%.*s%*s%s", timeline_page_cut (name, given), name,
            (int) (given - taken), "", tid);
  fprintf (out, "%s%s", text, p->view->ascii ? "|" : "│");
}

/* Rows and widths. */

struct rank {
  uint64_t ran;
  size_t index;
};

static int
compare_ranks (const void *a, const void *b, void *context)
{
  const struct rank *x = a, *y = b;
  (void) context;
  return x->ran > y->ran ? -1 : x->ran < y->ran;
}

/* The threads that ran most. */
static bool
choose_rows (struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  struct rank *ranks = malloc ((v->nthreads + 1) * sizeof *ranks);
  p->nshown = v->most > 0 && v->most < v->nthreads ? v->most : v->nthreads;
  for (size_t i = 0; ranks && i < v->nthreads; i++)
    {
      p->sums[i] = timeline_view_sums (v, &v->timeline->threads[v->threads[i]]);
      ranks[i] = (struct rank) { p->sums[i].time[TIMELINE_RUNNING], i };
    }
  bool ok = ranks && array_sort (ranks, v->nthreads, sizeof *ranks, compare_ranks, NULL);
  for (size_t i = 0; ok && i < p->nshown; i++)
    p->shown[ranks[i].index] = true;
  free (ranks);
  return ok;
}

static void
choose_widths (struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  size_t columns = v->style.columns ? v->style.columns : DEFAULT_COLUMNS, names = LEAST_LABEL,
         tids = 0, keys = v->by_cpu ? 2 : 0;
  for (size_t i = 0; i < v->nthreads; i++)
    if (p->shown[i])
      {
        char name[TIMELINE_NAME];
        const struct timeline_thread *thread = &v->timeline->threads[v->threads[i]];
        size_t n = short_name_columns (timeline_page_name (name, thread->name, v->ascii));
        int digits = snprintf (NULL, 0, " %" PRIu32, thread->tid);
        names = n > names ? n : names;
        tids = (size_t) digits > tids ? (size_t) digits : tids;
      }
  p->tids = keys + names + tids <= columns / 3;
  p->label = keys + names + (p->tids ? tids : 0);
  p->label = p->tids || p->label <= columns / 3 ? p->label : columns / 3;
  p->scale = (struct timeline_scale) { .from = v->from, .to = v->to, .cells = LEAST_CELLS };
  if (columns > p->label + FRAME + LEAST_CELLS)
    p->scale.cells = columns - p->label - FRAME;
  if (p->scale.cells > v->to - v->from)
    p->scale.cells = v->to > v->from ? v->to - v->from : 1;
}

/* The page. */

static void
print_watch (FILE *out, const struct timeline_view *v)
{
  const struct timeline *t = v->timeline;
  if (t->watch.how == BBS_BY_EVENTS)
    fputs ("watched by events: each context switch, to the nanosecond\n", out);
  else
    {
      style_put (&v->style, out, ALARM);
      fprintf (out, "watched by polls, at most %" PRIu32 " a second", t->watch.rate);
      style_put (&v->style, out, PLAIN);
      fputs (": between two polls only sums are known\n", out);
      if (t->watch.refused)
        fprintf (out, "the kernel refused its events (%s): bbprof doctor says why\n",
                 strerror ((int) t->watch.refused));
    }
  if (t->own_ns > 0)
    {
      char span[TIMELINE_DURATION];
      fprintf (out, "bbprof's own thread, which has no row, ran %s\n",
               timeline_duration (span, t->own_ns));
    }
  if (t->lost == 0 && t->lost_marks == 0 && t->lost_mpi_calls == 0)
    return;
  style_put (&v->style, out, ALARM);
  if (t->lost > 0)
    fprintf (out, "%" PRIu64 " switch%s lost: shown as not known\n", t->lost,
             t->lost == 1 ? " was" : "es were");
  if (t->lost_marks > 0)
    fprintf (out, "%" PRIu64 " mark%s lost\n", t->lost_marks,
             t->lost_marks == 1 ? " was" : "s were");
  if (t->lost_mpi_calls > 0)
    fprintf (out, "the times of %" PRIu64 " call%s of MPI were lost\n", t->lost_mpi_calls,
             plural (t->lost_mpi_calls));
  style_put (&v->style, out, PLAIN);
}

static void
print_head (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  const struct timeline *t = v->timeline;
  char span[TIMELINE_DURATION], cell[TIMELINE_DURATION], name[TIMELINE_NAME];
  if (t->doubt)
    header_print (out, "warning", "%s", t->doubt);
  style_put (&v->style, out, TITLE);
  fprintf (out, "%s: ", timeline_page_name (name, t->program ? t->program : "timeline", v->ascii));
  fprintf (out, "%s", timeline_duration (span, v->to - v->from));
  style_put (&v->style, out, PLAIN);
  fprintf (out, ", %zu thread%s, %u processor%s; ", v->nthreads, v->nthreads == 1 ? "" : "s",
           t->cpus, t->cpus == 1 ? "" : "s");
  fprintf (out, "a character is %s\n",
           timeline_duration (cell, (v->to - v->from) / p->scale.cells));
  if (v->from > t->start || v->to < t->end)
    fprintf (out, "from %.6f ms to %.6f ms; the run: from %.6f ms to %.6f ms\n",
             (double) v->from / 1e6, (double) v->to / 1e6, (double) t->start / 1e6,
             (double) t->end / 1e6);
  print_watch (out, v);
}

static void
print_axis (FILE *out, const struct timeline_page *p)
{
  struct timeline_axis axis = timeline_axis_make (&p->scale);
  fputc ('\n', out);
  timeline_page_label (out, p, axis.unit.name);
  timeline_axis_print (out, &axis, &p->scale);
  timeline_page_end (out, p);
}

static void
print_rows (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  for (size_t i = 0, row = 0; i < v->nthreads; i++)
    if (p->shown[i])
      {
        const struct timeline_thread *thread = &v->timeline->threads[v->threads[i]];
        timeline_cells_fill (&p->scale, thread, p->cells);
        print_thread_label (out, p, thread, row++);
        timeline_strip_print (out, &v->style, v->ascii, &p->scale, p->cells);
        timeline_page_end (out, p);
      }
}

static void
take_gaps (void *context, size_t cell, const struct timeline_interval *interval, uint64_t length)
{
  struct timeline_cell *cells = context;
  if (interval->state == TIMELINE_UNKNOWN)
    cells[cell].time[TIMELINE_UNKNOWN] += length;
}

/* Gaps of any thread, however short. */
static void
print_gaps (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  bool any = false;
  memset (p->cells, 0, p->scale.cells * sizeof *p->cells);
  for (size_t i = 0; i < v->nthreads; i++)
    if (p->sums[i].time[TIMELINE_UNKNOWN] > 0)
      {
        any = true;
        timeline_cells_walk (&p->scale, &v->timeline->threads[v->threads[i]], take_gaps, p->cells);
      }
  if (!any)
    return;
  timeline_page_label (out, p, "gaps");
  timeline_strip_print (out, &v->style, v->ascii, &p->scale, p->cells);
  timeline_page_end (out, p);
}

static void
print_hidden (FILE *out, const struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  uint64_t ran = 0;
  char text[TIMELINE_DURATION];
  for (size_t i = 0; i < v->nthreads; i++)
    ran += p->shown[i] ? 0 : p->sums[i].time[TIMELINE_RUNNING];
  if (p->nshown < v->nthreads)
    fprintf (out, "and %zu thread%s more, which ran %s together (-n 0: all)\n",
             v->nthreads - p->nshown, plural (v->nthreads - p->nshown),
             timeline_duration (text, ran));
}

static bool
print_page (FILE *out, struct timeline_page *p)
{
  const struct timeline_view *v = p->view;
  print_head (out, p);
  print_axis (out, p);
  bool ok = timeline_page_marks (out, p);
  print_rows (out, p);
  ok = ok && (!v->by_cpu || timeline_page_cpus (out, p));
  print_gaps (out, p);
  print_hidden (out, p);
  timeline_strip_legend (out, &v->style, v->ascii, p->label + p->scale.cells + FRAME);
  ok = ok && timeline_page_texts (out, p);
  fputc ('\n', out);
  return ok && timeline_page_table (out, p) && timeline_page_mpi (out, p)
         && timeline_page_locks (out, p);
}

bool
timeline_emit_text (FILE *out, const struct timeline_view *v, struct error *err)
{
  struct timeline_page p = { .view = v };
  p.sums = calloc (v->nthreads + 1, sizeof *p.sums);
  p.shown = calloc (v->nthreads + 1, sizeof *p.shown);
  bool ok = p.sums && p.shown && choose_rows (&p);
  if (ok)
    {
      choose_widths (&p);
      p.cells = calloc (p.scale.cells, sizeof *p.cells);
      ok = p.cells && print_page (out, &p);
    }
  free (p.sums);
  free (p.shown);
  free (p.cells);
  return ok || error_no_memory (err);
}
