/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the screen: two lines on the process, the list of threads or another page, a line for keys
   and questions. */
#include "config.h"

#include <ncurses.h>

#include "tools/top/top_screen.h"

enum { HEAD = 2, STRIP_LEAST = 12, STRIP_FROM = 60 };

/* Draws a whole line in ATTRIBUTE. */
static void
draw_bar (const struct top_screen *s, int row, int attribute, const char *text)
{
  attron (attribute);
  mvhline (row, 0, ' ', COLS);
  top_draw_text (s, row, 0, COLS, text);
  attroff (attribute);
}

size_t
top_list_height (void)
{
  return LINES > HEAD + 2 ? (size_t) (LINES - HEAD - 2) : 1;
}

static void
draw_head (const struct top_screen *s)
{
  char line[256], how[128];
  const struct top_watch *w = &s->top->watch;
  top_watch_describe (w, how, sizeof how);
  snprintf (line, sizeof line, "%s (%d) %s, %.1f s, each %g s%s%s", w->name, w->pid, how,
            (double) w->sums.now / 1e9, (double) s->interval / 1e9, s->paused ? ", PAUSED" : "",
            w->ended ? ", ENDED; of all of it:" : "");
  draw_bar (s, 0, A_REVERSE, line);
  top_summarize (s->top, line, sizeof line);
  top_draw_text (s, 1, 0, COLS, line);
}

static void
draw_titles (const struct top_screen *s, int row, int room)
{
  int at = 0;
  attron (A_BOLD);
  for (int c = 0; c < TOP_COLUMNS; c++)
    if (s->columns & 1u << c)
      {
        char text[32];
        snprintf (text, sizeof text, "%*s", top_is_left (c) ? -top_width (c) : top_width (c),
                  top_title (c));
        if (s->top->choice.sort == (enum top_column) c)
          attron (A_UNDERLINE);
        top_draw_text (s, row, at, COLS - at, text);
        attroff (A_UNDERLINE);
        at += top_width (c) + 1;
      }
  if (room > 0)
    {
      char text[32];
      snprintf (text, sizeof text, "PAST %g s", (double) top_strip_span (s, room) / 1e9);
      top_draw_text (s, row, at, room, text);
    }
  attroff (A_BOLD);
}

static enum top_colour
colour_of (const struct top_thread *t)
{
  return t->died != TOP_LIVES           ? TOP_FAINT
         : t->state == TIMELINE_RUNNING ? TOP_GREEN
         : t->state == TIMELINE_READY   ? TOP_YELLOW
                                        : TOP_PLAIN;
}

static void
draw_thread (const struct top_screen *s, const struct top_thread *t, int row, int room)
{
  int at = 0, whole = (t->tid == s->selected ? A_REVERSE : 0) | (t->died != TOP_LIVES ? A_DIM : 0);
  attron (whole);
  mvhline (row, 0, ' ', COLS - room);
  for (int c = 0; c < TOP_COLUMNS; c++)
    if (s->columns & 1u << c)
      {
        char cell[64], text[80];
        int colour = c == TOP_STATE ? top_attribute (s, colour_of (t)) : 0;
        top_cell (&s->top->watch.sums, t, c, cell, sizeof cell);
        snprintf (text, sizeof text, "%*s", top_is_left (c) ? 0 : top_width (c), cell);
        attron (colour);
        top_draw_text (s, row, at, top_width (c) < COLS - at ? top_width (c) : COLS - at, text);
        attroff (colour);
        at += top_width (c) + 1;
      }
  attroff (whole);
  if (room > 0)
    top_draw_strip (s, t, row, at, room);
}

/* Scrolls no more than needed to show the selected row. */
static void
draw_threads (struct top_screen *s)
{
  const struct top_rows *rows = &s->top->rows;
  size_t height = top_list_height (), selected = top_selected_row (s);
  int room;
  s->columns = top_columns_that_fit (COLS, COLS >= STRIP_FROM ? STRIP_LEAST : 0, &room);
  if (room < STRIP_LEAST)
    room = 0;
  draw_titles (s, HEAD, room);
  if (selected < s->first)
    s->first = selected;
  if (selected >= s->first + height)
    s->first = selected - height + 1;
  if (s->first + height > rows->n)
    s->first = rows->n > height ? rows->n - height : 0;
  for (size_t i = 0; i < height && s->first + i < rows->n; i++)
    draw_thread (s, rows->rows[s->first + i], HEAD + 1 + (int) i, room);
}

static void
draw_foot (const struct top_screen *s)
{
  char line[256];
  const struct top *top = s->top;
  switch (s->question)
    {
    case TOP_ASKS_FILTER:
      snprintf (line, sizeof line, "names with: %s_", top->choice.filter);
      break;
    case TOP_ASKS_END:
      snprintf (line, sizeof line,
                "%s still runs: t terminate it, l let it finish, c go on watching",
                top->watch.name);
      break;
    default:
      snprintf (
          line, sizeof line, "%s%s%sq end  ? help  s sort  Enter thread  c cpus  / filter  p pause",
          top->choice.filter[0] ? "[" : "", top->choice.filter, top->choice.filter[0] ? "]  " : "");
    }
  draw_bar (s, LINES - 1, A_REVERSE, line);
}

void
top_draw (struct top_screen *s)
{
  erase ();
  draw_head (s);
  switch (s->page)
    {
    case TOP_PAGE_CPUS: top_draw_cpus (s, HEAD, LINES - 1); break;
    case TOP_PAGE_THREAD: top_draw_thread (s, HEAD, LINES - 1); break;
    case TOP_PAGE_HELP: top_draw_help (s, HEAD, LINES - 1); break;
    default: draw_threads (s);
    }
  draw_foot (s);
  refresh ();
}
