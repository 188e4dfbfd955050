/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row: an outline for each state.  Running is as high as the bar, ready half as high, sleep a
   line.  If a cell has several states, each is as high as its share, and none too low to be
   seen.  Calls of MPI are a line above the bar. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "collect/streams/watched.h"
#include "tools/timeline/svg_row.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_view.h"
#include "tools/view/xml.h"

enum {
  LEAST = 4,
  LINE = 2,
  MPI_LINE = 3, /* between the bar and the row above */
  NAMED = 80    /* the least width of a call of MPI whose name is in the bar */
};

/* From the bottom to the top. */
static const int order[] = { TIMELINE_RUNNING, TIMELINE_READY, SVG_LOCKED, TIMELINE_UNKNOWN };

double
svg_x (const struct svg *s, uint64_t time)
{
  uint64_t from = s->view->from, to = s->view->to;
  uint64_t within = time < from ? from : time > to ? to : time;
  return SVG_NAMES + s->width * ((double) (within - from) / (double) (to - from));
}

/* The height of STATE alone. */
static int
height_of (const struct svg_cell *c, int state)
{
  static const int whole[SVG_STATES] = { SVG_BAR, SVG_BAR / 2, LINE, SVG_BAR, SVG_BAR / 4 };
  uint64_t all = 0;
  for (int i = 0; i < SVG_STATES; i++)
    all += c->time[i];
  if (c->time[state] == 0)
    return 0;
  int high = (int) (whole[state] * ((double) c->time[state] / (double) all) + 0.5),
      least = state == SVG_LOCKED ? LINE : LEAST;
  return high < least ? least : high;
}

/* The height of STATE's top above the bottom line, on top of the states below it; 0: the cell does
   not have it. */
static int
top_of (const struct svg_cell *c, int state)
{
  int top = 0;
  if (state == TIMELINE_SLEEPING)
    return c->time[state] > 0 ? LINE : 0;
  if (state == SVG_MPI)
    return c->time[state] > 0 ? MPI_LINE : 0;
  for (size_t i = 0; order[i] != state; i++)
    top += height_of (c, order[i]);
  top += height_of (c, state);
  return height_of (c, state) == 0 ? 0 : top < SVG_BAR ? top : SVG_BAR;
}

/* An outline over all cells, on the line at BOTTOM; nothing if it is flat. */
static void
put_outline (const struct svg *s, int bottom, int state)
{
  static const char classes[] = "rwsukc";
  int now = 0, run = 0;
  bool begun = false;
  for (size_t i = 0; i < s->scale.cells; i++)
    {
      int next = top_of (&s->cells[i], state);
      if (next != now && !begun)
        {
          fprintf (s->out, "<path class=\"%c\" d=\"M%d %d", classes[state], SVG_NAMES, bottom);
          begun = true;
        }
      if (next != now && run > 0)
        fprintf (s->out, "h%d", run);
      if (next != now)
        {
          fprintf (s->out, "v%d", now - next);
          run = 0;
        }
      now = next;
      run += s->pixels;
    }
  if (begun)
    fprintf (s->out, "h%dv%dz\"/>\n", run, now);
}

/* States that cover more are drawn first. */
static void
put_outlines (const struct svg *s, int y)
{
  const int bottom = y + (SVG_ROW + SVG_BAR) / 2;
  put_outline (s, bottom, TIMELINE_SLEEPING);
  for (size_t i = sizeof order / sizeof *order; i-- > 0;)
    put_outline (s, bottom, order[i]);
}

static void
put_interval_title (const struct svg *s, const struct timeline_interval *interval)
{
  char length[TIMELINE_DURATION], text[128];
  fputs (timeline_state_text (interval->state), s->out);
  timeline_reason (interval, text, sizeof text);
  if (interval->state == TIMELINE_SLEEPING && *text)
    {
      fputs (": ", s->out);
      xml_text (s->out, text);
    }
  else if (interval->state == TIMELINE_RUNNING && interval->cpu != BBS_CPU_UNKNOWN)
    fprintf (s->out, " on processor %u", interval->cpu);
  timeline_duration (length, interval->end - interval->start);
  fprintf (s->out, "%s, %s, from %.3f ms", interval->estimated ? " (estimated)" : "", length,
           (double) interval->start / 1e6);
}

/* The least width of what has a text of its own, in pixels. */
static double
least_titled (const struct svg *s)
{
  double least = SVG_WIDTH * (double) s->rows / SVG_TITLES;
  return least > 4 ? least : 4;
}

/* Long intervals have a text of their own. */
static void
put_titles (const struct svg *s, const struct timeline_thread *thread, int y)
{
  for (size_t i = timeline_first (thread, s->view->from);
       i < thread->nintervals && thread->intervals[i].start < s->view->to; i++)
    {
      const struct timeline_interval *interval = &thread->intervals[i];
      double from = svg_x (s, interval->start), to = svg_x (s, interval->end);
      if (to - from < least_titled (s))
        continue;
      fprintf (s->out, "<rect class=\"t\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>",
               from, y, to - from, SVG_ROW);
      put_interval_title (s, interval);
      fputs ("</title></rect>\n", s->out);
    }
}

/* A line over the cells in which the thread was in a function of MPI. */
static void
put_mpi_line (const struct svg *s, const struct timeline_thread *thread, int y)
{
  for (size_t i = 0; i < thread->nmpi_calls; i++)
    {
      uint64_t from, to;
      if (!timeline_view_mpi_call (s->view, &thread->mpi_calls[i], &from, &to))
        continue;
      for (size_t cell = timeline_scale_cell (&s->scale, from);
           cell <= timeline_scale_cell (&s->scale, to - 1); cell++)
        s->cells[cell].time[SVG_MPI] = 1;
    }
  put_outline (s, y + MPI_LINE, SVG_MPI);
}

/* Long calls have a text of their own on the line and a little below, and names in the bar. */
static void
put_mpi_texts (const struct svg *s, const struct timeline_thread *thread, int y)
{
  for (size_t i = 0; i < thread->nmpi_calls; i++)
    {
      const struct timeline_mpi_call *call = &thread->mpi_calls[i];
      char length[TIMELINE_DURATION];
      uint64_t start, end;
      if (!timeline_view_mpi_call (s->view, call, &start, &end))
        continue;
      const double from = svg_x (s, start), to = svg_x (s, end);
      if (to - from < least_titled (s))
        continue;
      if (to - from >= NAMED)
        fprintf (s->out, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", from + 3, y + 15, call->name);
      timeline_duration (length, call->end - call->start);
      fprintf (s->out,
               "<rect class=\"t\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\">"
               "<title>in %s for %s, from %.3f ms</title></rect>\n",
               from, y, to - from, SVG_ROW - SVG_BAR, call->name, length,
               (double) call->start / 1e6);
    }
}

static void
put_sums (const struct svg *s, const struct timeline_sums *sums)
{
  uint64_t all = 0;
  for (int i = 0; i < TIMELINE_STATES; i++)
    all += sums->time[i];
  for (int i = 0; i < TIMELINE_STATES; i++)
    if (sums->time[i] > 0)
      {
        char text[TIMELINE_DURATION];
        timeline_duration (text, sums->time[i]);
        fprintf (s->out, "\n%s %s, %.1f %%", timeline_state_text ((enum timeline_state) i), text,
                 (double) sums->time[i] * 100 / (double) all);
      }
  fprintf (s->out,
           "\nswitches: %" PRIu64 " voluntary, %" PRIu64 " involuntary; %" PRIu64 " migrations",
           sums->voluntary, sums->involuntary, sums->migrations);
}

/* TID 0: there is none. */
static void
open_row (const struct svg *s, const char *name, uint32_t tid, int y)
{
  fprintf (s->out, "<g><rect class=\"t\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", y,
           SVG_NAMES + SVG_WIDTH, SVG_ROW);
  fprintf (s->out, "<text clip-path=\"url(#names)\" x=\"8\" y=\"%d\">", y + 15);
  xml_text (s->out, name);
  fputs ("</text>\n", s->out);
  if (tid != 0)
    fprintf (s->out, "<text class=\"f\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%" PRIu32 "</text>\n",
             SVG_NAMES - 8, y + 15, tid);
}

static void
take (void *context, size_t cell, const struct timeline_interval *interval, uint64_t length)
{
  struct svg *s = context;
  bool locked = interval->state == TIMELINE_SLEEPING && watched_is_lock (interval->why);
  s->cells[cell].time[locked ? SVG_LOCKED : interval->state] += length;
}

void
svg_row_thread (struct svg *s, const struct timeline_thread *thread, int y)
{
  struct timeline_sums sums = timeline_view_sums (s->view, thread);
  memset (s->cells, 0, s->scale.cells * sizeof *s->cells);
  timeline_cells_walk (&s->scale, thread, take, s);
  open_row (s, thread->name, thread->tid, y);
  fputs ("<title>", s->out);
  xml_text (s->out, thread->name);
  fprintf (s->out, " (%" PRIu32 ")", thread->tid);
  put_sums (s, &sums);
  fputs ("</title>\n", s->out);
  put_outlines (s, y);
  put_titles (s, thread, y);
  put_mpi_line (s, thread, y);
  put_mpi_texts (s, thread, y);
  fputs ("</g>\n", s->out);
}

struct cpu_taker {
  struct svg *svg;
  unsigned cpu;
};

static void
take_cpu (void *context, size_t cell, const struct timeline_interval *interval, uint64_t length)
{
  struct cpu_taker *t = context;
  if (interval->state == TIMELINE_RUNNING && interval->cpu == t->cpu)
    t->svg->cells[cell].time[TIMELINE_RUNNING] += length;
}

void
svg_row_cpu (struct svg *s, unsigned cpu, int y)
{
  char name[32];
  struct cpu_taker taker = { .svg = s, .cpu = cpu };
  memset (s->cells, 0, s->scale.cells * sizeof *s->cells);
  for (size_t i = 0; i < s->view->nthreads; i++)
    timeline_cells_walk (&s->scale, &s->view->timeline->threads[s->view->threads[i]], take_cpu,
                         &taker);
  for (size_t i = 0; i < s->scale.cells; i++)
    {
      uint64_t all = timeline_scale_bound (&s->scale, i + 1) - timeline_scale_bound (&s->scale, i),
               *ran = s->cells[i].time;
      ran[TIMELINE_RUNNING] = ran[TIMELINE_RUNNING] < all ? ran[TIMELINE_RUNNING] : all;
      ran[TIMELINE_SLEEPING] = all - ran[TIMELINE_RUNNING];
    }
  snprintf (name, sizeof name, "processor %u", cpu);
  open_row (s, name, 0, y);
  put_outlines (s, y);
  fputs ("</g>\n", s->out);
}
