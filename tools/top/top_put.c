/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing that all pages of the screen use. */
#include "config.h"

#include <ncurses.h>
#include <string.h>

#include "common/utf8.h"
#include "common/visible.h"
#include "tools/top/top_screen.h"

int
top_attribute (const struct top_screen *s, enum top_colour colour)
{
  if (colour == TOP_FAINT)
    return A_DIM;
  return s->colour && colour != TOP_PLAIN ? (int) COLOR_PAIR (colour) : A_NORMAL;
}

void
top_draw_text (const struct top_screen *s, int row, int column, int width, const char *text)
{
  char line[512];
  size_t used = 0;
  int n = 0;
  for (const unsigned char *p = (const unsigned char *) visible (text);
       *p && n < width && used + 4 < sizeof line; n++)
    {
      int length = *p < 0x80 ? 1 : s->utf8 ? utf8_length (p) : 0;
      memcpy (line + used, length ? (const char *) p : "?", length ? (size_t) length : 1);
      used += length ? (size_t) length : 1;
      p += length ? length : 1;
    }
  mvaddnstr (row, column, line, (int) used);
}

size_t
top_selected_row (const struct top_screen *s)
{
  const struct top_rows *rows = &s->top->rows;
  for (size_t i = 0; i < rows->n; i++)
    if (rows->rows[i]->tid == s->selected)
      return i;
  return 0;
}
