/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture in one file: rows, axis, markers, legend. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/timeline/svg_row.h"
#include "tools/timeline/timeline_axis.h"
#include "tools/view/plural.h"
#include "tools/view/short_name.h"
#include "tools/view/xml.h"

enum {
  HEAD = 84, /* pixels above the rows */
  FOOT = 24,
  AXIS = 62, /* y coordinate of its line */
  ROWS_MOST = 1000,
  CPUS_MOST = 64,
  TITLES_MOST = 4, /* markers of one flag that are named */
  LETTER = 7       /* width of a label */
};

/* States differ in height and hatching, too, not only in colour. */
static const char style[]
    = "<style>\n"
      "text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: #1a1a1a; }\n"
      "path { shape-rendering: crispEdges; }\n"
      ".b { fill: #fff; }\n.h { font-size: 15px; font-weight: 600; }\n.f { fill: #5f6368; }\n.l { "
      "stroke: #d8dade; }\n"
      ".r { fill: #00855f; }\n.w { fill: #e69f00; }\n.s { fill: #8a8f98; }\n.k { fill: #0072b2; "
      "}\n.u { fill: url(#hatch); }\n"
      "#hatch path { stroke: #b0508f; stroke-width: 1.5; shape-rendering: auto; }\n"
      ".m path { stroke: #8430ce; stroke-opacity: .4; }\n.m, .m text { fill: #8430ce; }\n"
      ".c { fill: #b06000; }\n.t { fill-opacity: 0; }\n"
      "@media (prefers-color-scheme: dark) {\n"
      "text { fill: #e8eaed; }\n.b { fill: #16181c; }\n.f { fill: #a2a7af; }\n.l { stroke: "
      "#3a3e45; }\n"
      ".r { fill: #1fb486; }\n.w { fill: #f0b429; }\n.s { fill: #7d838c; }\n.k { fill: #56b4e9; }\n"
      "#hatch path { stroke: #d77fb8; }\n"
      ".m path { stroke: #c58af9; }\n.m, .m text { fill: #c58af9; }\n.c { fill: #f0a050; }\n}\n"
      "</style>\n";

static void
put_head (const struct svg *s, int height)
{
  const struct timeline *t = s->view->timeline;
  int width = SVG_NAMES + SVG_WIDTH + 20;
  fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" ",
         s->out);
  fprintf (
      s->out,
      "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title\">\n",
      width, height, width, height);
  fputs ("<title id=\"title\">", s->out);
  xml_text (s->out, t->program ? t->program : "timeline");
  fprintf (
      s->out,
      ": which thread ran when</title>\n%s<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" "
      "patternUnits=\"userSpaceOnUse\"><path d=\"M-1 7 7-1M-1 1 1-1M5 7 7 5\"/></pattern>",
      style);
  fprintf (s->out, "<clipPath id=\"names\"><rect width=\"%d\" height=\"%d\"/></clipPath></defs>\n",
           SVG_NAMES - 58, height);
  fprintf (s->out,
           "<rect class=\"b\" width=\"%d\" height=\"%d\"/>\n<text class=\"h\" x=\"8\" y=\"20\">",
           width, height);
  xml_text (s->out, t->program ? t->program : "timeline");
  fputs ("</text>\n", s->out);
}

static void
put_how (const struct svg *s)
{
  const struct timeline *t = s->view->timeline;
  char length[TIMELINE_DURATION];
  fprintf (s->out, "<text class=\"f\" x=\"%d\" y=\"20\">%zu of %zu thread%s, %s, ", SVG_NAMES,
           s->rows, t->nthreads, plural (t->nthreads),
           timeline_duration (length, s->view->to - s->view->from));
  if (t->watch.how == BBS_BY_POLLS)
    fprintf (s->out,
             "by at most %" PRIu32 " polls a second: between two of them only sums are known",
             t->watch.rate);
  else
    fputs ("by the kernel's record of each switch", s->out);
  if (t->lost > 0)
    fprintf (s->out, "; %" PRIu64 " switch%s lost", t->lost, t->lost == 1 ? "" : "es");
  if (t->doubt)
    {
      fputs ("; warning: ", s->out);
      xml_text (s->out, t->doubt);
    }
  fputs ("</text>\n", s->out);
}

static bool
has_mpi_calls (const struct timeline_view *v)
{
  for (size_t i = 0; i < v->nthreads; i++)
    if (v->timeline->threads[v->threads[i]].nmpi_calls > 0)
      return true;
  return false;
}

static void
put_legend (const struct svg *s)
{
  static const struct {
    const char *shape, *text;
  } entries[] = { { "r\" height=\"16", "running" },
                  { "w\" transform=\"translate(0 8)\" height=\"8", "ready, waits for a processor" },
                  { "k\" transform=\"translate(0 12)\" height=\"4", "waits for a lock" },
                  { "s\" transform=\"translate(0 14)\" height=\"2", "sleeps" },
                  { "u\" height=\"16", "not known" },
                  { "c\" height=\"3", "in a function of MPI" } };
  static const int places[] = { 0, 100, 310, 450, 540, 650 };
  const size_t shown = sizeof entries / sizeof *entries - !has_mpi_calls (s->view);
  for (size_t i = 0; i < shown; i++)
    fprintf (
        s->out,
        "<rect class=\"%s\" x=\"%d\" y=\"28\" width=\"24\"/><text x=\"%d\" y=\"41\">%s</text>\n",
        entries[i].shape, SVG_NAMES + places[i], SVG_NAMES + places[i] + 30, entries[i].text);
}

static void
put_axis (const struct svg *s, int bottom)
{
  struct timeline_scale letters = s->scale;
  letters.cells = SVG_WIDTH / LETTER < letters.to - letters.from
                      ? SVG_WIDTH / LETTER
                      : (size_t) (letters.to - letters.from);
  struct timeline_axis axis = timeline_axis_make (&letters);
  fprintf (s->out, "<text class=\"f\" x=\"8\" y=\"%d\">%s</text>\n", AXIS - 4, axis.unit.name);
  for (uint64_t time = (s->view->from + axis.step - 1) / axis.step * axis.step; time <= s->view->to;
       time += axis.step)
    {
      double x = svg_x (s, time);
      fprintf (s->out, "<path class=\"l\" d=\"M%.1f %dV%d\"/>", x, AXIS - 12, bottom);
      if (x < SVG_NAMES + s->width - 4 * LETTER)
        fprintf (s->out, "<text class=\"f\" x=\"%.1f\" y=\"%d\">%.*f</text>\n", x + 3, AXIS - 4,
                 axis.digits, (double) time / (double) axis.unit.ns);
    }
}

/* Prints the text of the first of COUNT markers: to the right of its flag if there is room up to
   NEXT, else to its left if there is room from FREE on.  Returns where it ends. */
static double
put_mark_text (const struct svg *s, size_t first, size_t count, double next, double free)
{
  const struct timeline_mark *mark = &s->view->timeline->marks[first];
  char more[32] = "";
  if (count > 1)
    snprintf (more, sizeof more, " (+%zu)", count - 1);
  double x = svg_x (s, mark->time),
         length = (double) (short_name_columns (mark->text) + strlen (more)) * LETTER;
  bool left = next - x < length + 14 && x - free > length + 12;
  if (!left && next - x < 6 * LETTER)
    return x + 10;
  fprintf (s->out, "<svg x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\">",
           left ? x - length - 10 : x + 11, AXIS, left ? length + 6 : next - x - 14);
  fprintf (s->out, "<text x=\"%s\" y=\"12\" text-anchor=\"%s\">", left ? "100%" : "0",
           left ? "end" : "start");
  xml_text (s->out, mark->text);
  fprintf (s->out, "%s</text></svg>", more);
  return left || next - x > length + 14 ? x + 10 + (left ? 0 : length) : next;
}

/* The first marker from I on at X or to its right. */
static size_t
mark_behind (const struct svg *s, size_t i, double x)
{
  const struct timeline *t = s->view->timeline;
  while (i < t->nmarks && svg_x (s, t->marks[i].time) < x)
    i++;
  return i;
}

/* A flag for the markers from FIRST to END - 1, which are in one pixel. */
static void
put_flag (const struct svg *s, size_t first, size_t end, double x, int bottom)
{
  fprintf (s->out, "<g class=\"m\"><path d=\"M%.1f %dV%dV%dl8 4l-8 4z\"/><title>", x, AXIS + 2,
           bottom, AXIS + 2);
  for (size_t i = first; i < end && i < first + TITLES_MOST; i++)
    {
      const struct timeline_mark *mark = &s->view->timeline->marks[i];
      fprintf (s->out, "%s%.3f ms: ", i == first ? "" : "\n", (double) mark->time / 1e6);
      xml_text (s->out, mark->text);
    }
  fputs ("</title>", s->out);
}

static void
put_marks (const struct svg *s, int bottom)
{
  const struct timeline *t = s->view->timeline;
  double free = SVG_NAMES;
  size_t end;
  for (size_t i = 0; i < t->nmarks && t->marks[i].time <= s->view->to; i = end)
    {
      double x = svg_x (s, t->marks[i].time);
      end = t->marks[i].time < s->view->from ? i + 1 : mark_behind (s, i + 1, x + 1);
      if (t->marks[i].time < s->view->from)
        continue;
      put_flag (s, i, end, x, bottom);
      free = put_mark_text (s, i, end - i,
                            end < t->nmarks ? svg_x (s, t->marks[end].time) : SVG_NAMES + s->width,
                            free);
      fputs ("</g>\n", s->out);
    }
}

static void
put_picture (struct svg *s)
{
  size_t left_out = s->view->nthreads - s->rows;
  unsigned cpus = !s->view->by_cpu                      ? 0
                  : s->view->timeline->cpus < CPUS_MOST ? s->view->timeline->cpus
                                                        : CPUS_MOST;
  int bottom = HEAD + (int) (s->rows + cpus) * SVG_ROW, y = HEAD;
  put_head (s, bottom + FOOT);
  put_how (s);
  put_legend (s);
  put_axis (s, bottom);
  for (unsigned cpu = 0; cpu < cpus; cpu++, y += SVG_ROW)
    svg_row_cpu (s, cpu, y);
  for (size_t i = 0; i < s->rows; i++, y += SVG_ROW)
    svg_row_thread (s, &s->view->timeline->threads[s->view->threads[i]], y);
  put_marks (s, bottom);
  if (left_out > 0)
    fprintf (s->out, "<text class=\"f\" x=\"8\" y=\"%d\">and %zu thread%s more</text>\n",
             bottom + 16, left_out, plural (left_out));
  fputs ("</svg>\n", s->out);
}

bool
timeline_emit_svg (FILE *out, const struct timeline_view *view, struct error *err)
{
  struct svg s = { .out = out,
                   .view = view,
                   .rows = view->nthreads < ROWS_MOST ? view->nthreads : ROWS_MOST };
  uint64_t span = view->to - view->from;
  s.pixels = (int) (s.rows * SVG_WIDTH / SVG_CELLS + 1);
  if (span < SVG_WIDTH)
    s.pixels = SVG_WIDTH / (int) span;
  s.scale = (struct timeline_scale) { .from = view->from,
                                      .to = view->to,
                                      .cells = (size_t) (SVG_WIDTH / s.pixels) };
  if (s.scale.cells > span)
    s.scale.cells = (size_t) span;
  s.width = (int) s.scale.cells * s.pixels;
  s.cells = malloc (s.scale.cells * sizeof *s.cells);
  if (!s.cells)
    return error_no_memory (err);
  put_picture (&s);
  free (s.cells);
  return error_if_unwritten (out, err);
}
