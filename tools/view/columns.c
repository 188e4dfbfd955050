/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "tools/view/columns.h"
#include "tools/view/short_name.h"

enum { GAP = 2, LEAST_NAME = 16 };

void
columns_open (struct columns *c, const struct column *head, size_t ncolumns)
{
  *c = (struct columns) { .head = head, .ncolumns = ncolumns };
}

void
columns_free (struct columns *c)
{
  for (size_t i = 0; i < c->count; i++)
    free (c->cells[i]);
  free (c->cells);
  free (c->shares);
}

void
columns_share (struct columns *c, double share)
{
  const size_t row = c->count / c->ncolumns;
  if (!c->failed && array_grow (&c->shares, row, &c->shares_room, sizeof *c->shares))
    c->shares[row] = share;
  else
    c->failed = true;
}

void
columns_add (struct columns *c, const char *format, ...)
{
  va_list ap;
  if (c->failed || !array_grow (&c->cells, c->count, &c->room, sizeof *c->cells))
    {
      c->failed = true;
      return;
    }
  char *text;
  va_start (ap, format);
  if (vasprintf (&text, format, ap) < 0)
    text = NULL;
  va_end (ap);
  char *cell = text ? strdup (visible (text)) : NULL;
  free (text);
  if (cell)
    c->cells[c->count++] = cell;
  else
    c->failed = true;
}

/* Width that column I needs, in columns of the screen; 0: no row has a value in it. */
static size_t
width_of (const struct columns *c, size_t i)
{
  size_t width = short_name_columns (c->head[i].title);
  bool empty = true;
  for (size_t k = i; k < c->count; k += c->ncolumns)
    {
      size_t n = short_name_columns (c->cells[k]);
      empty &= n == 0 || strcmp (c->cells[k], COLUMNS_NOTHING) == 0;
      width = n > width ? n : width;
    }
  return empty ? 0 : width;
}

static size_t
least_of (const struct columns *c, const size_t *widths, size_t i)
{
  return c->head[i].gives && widths[i] > LEAST_NAME ? LEAST_NAME : widths[i];
}

/* By how much the table is wider than ROOM, with shortened names (LEAST) or as it is. */
static size_t
excess (const struct columns *c, const size_t *widths, size_t room, bool least)
{
  size_t sum = 0;
  for (size_t i = 0; i < c->ncolumns; i++)
    sum += widths[i] ? (least ? least_of (c, widths, i) : widths[i]) + GAP : 0;
  return sum > room + GAP ? sum - GAP - room : 0;
}

/* Leaves out the spare columns, then shortens the names, until the table fits. */
static void
fit (const struct columns *c, size_t *widths, size_t room)
{
  for (size_t i = c->ncolumns; room > 0 && i-- > 0 && excess (c, widths, room, true) > 0;)
    widths[i] = c->head[i].spare ? 0 : widths[i];
  for (size_t i = c->ncolumns; room > 0 && i-- > 0;)
    {
      size_t least = least_of (c, widths, i), too_much = excess (c, widths, room, false);
      widths[i] = widths[i] > least + too_much ? widths[i] - too_much : least;
    }
}

static bool
print_cell (const struct columns *c, FILE *out, size_t i, const char *text, size_t width, bool last)
{
  char *cut = c->head[i].deep    ? short_name_deep (text, width)
              : c->head[i].gives ? short_name (text, width)
                                 : NULL;
  const char *shown = cut ? cut : text;
  size_t n = short_name_columns (shown);
  int blanks = n < width ? (int) (width - n) : 0;
  if (!c->head[i].left)
    fprintf (out, "%*s%s", blanks, "", shown);
  else
    fprintf (out, "%s%*s", shown, last ? 0 : blanks, "");
  fputs (last ? "" : "  ", out);
  bool ok = cut || !c->head[i].gives;
  free (cut);
  return ok;
}

static enum emphasis
heat_of (const struct columns *c, size_t row)
{
  return style_heat (c->shares ? c->shares[row] : 0);
}

/* CELLS: one for each column; null: print the titles.  HEAT: colour of the columns that show it. */
static bool
print_row (const struct columns *c, FILE *out, char **cells, const size_t *widths,
           const struct style *style, enum emphasis heat)
{
  size_t last = c->ncolumns;
  bool ok = true;
  while (last > 0 && (!widths[last - 1] || (cells && !*cells[last - 1])))
    last--;
  for (size_t i = 0; ok && i < last; i++)
    if (widths[i])
      {
        const bool coloured = heat != PLAIN && c->head[i].heat;
        if (coloured)
          style_put (style, out, heat);
        ok = print_cell (c, out, i, cells ? cells[i] : c->head[i].title, widths[i], i + 1 == last);
        if (coloured)
          style_put (style, out, PLAIN);
      }
  return ok;
}

bool
columns_print (const struct columns *c, FILE *out, const struct style *style)
{
  size_t *widths = malloc (c->ncolumns * sizeof *widths);
  bool ok = widths && !c->failed;
  for (size_t i = 0; ok && i < c->ncolumns; i++)
    widths[i] = width_of (c, i);
  if (ok && c->count > 0)
    {
      fit (c, widths, style->columns);
      style_put (style, out, TITLE);
      ok = print_row (c, out, NULL, widths, style, PLAIN);
      style_put (style, out, PLAIN);
      fputc ('\n', out);
    }
  for (size_t k = 0; ok && k < c->count; k += c->ncolumns)
    {
      ok = print_row (c, out, &c->cells[k], widths, style, heat_of (c, k / c->ncolumns));
      fputc ('\n', out);
    }
  free (widths);
  return ok;
}
