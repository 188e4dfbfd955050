/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markers on the page of text: numbers above the cells, and a list below. */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/timeline/timeline_axis.h"
#include "tools/timeline/timeline_page.h"
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
