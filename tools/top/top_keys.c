/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys. */
#include "config.h"

#include <ncurses.h>
#include <signal.h>
#include <string.h>

#include "tools/top/top_screen.h"

enum { KEY_CONTROL_C = 3, KEY_ESCAPE = 27, KEY_CONTROL_Z = 26, KEY_DELETE = 127 };

/* Steps of + and -. */
static const uint64_t intervals[]
    = { 100000000, 200000000, 500000000, 1000000000, 2000000000, 5000000000, 10000000000 };

static void
change_interval (struct top_screen *s, bool longer)
{
  size_t n = sizeof intervals / sizeof *intervals, i = 0;
  while (i + 1 < n && intervals[i] < s->interval)
    i++;
  if (longer && i + 1 < n && intervals[i] <= s->interval)
    i++;
  else if (!longer && i > 0)
    i--;
  s->interval = intervals[i];
}

/* Moves the sort column by STEP among the visible ones. */
static void
sort_by_next (struct top_screen *s, int step)
{
  int column = (int) s->top->choice.sort;
  do
    column = (column + step + TOP_COLUMNS) % TOP_COLUMNS;
  while (!(s->columns & 1u << column) && column != (int) s->top->choice.sort);
  s->top->choice.sort = (enum top_column) column;
}

static void
move_selection (struct top_screen *s, long step)
{
  const struct top_rows *rows = &s->top->rows;
  long row = (long) top_selected_row (s) + step, last = (long) rows->n - 1;
  if (last >= 0)
    s->selected = rows->rows[row < 0 ? 0 : row > last ? last : row]->tid;
}

static void
toggle_page (struct top_screen *s, enum top_page page)
{
  s->page = s->page == page ? TOP_PAGE_THREADS : page;
}

/* A user who has started a program may not want to lose it. */
static void
ask_to_end (struct top_screen *s)
{
  if (s->top->program && !s->top->watch.ended)
    s->question = TOP_ASKS_END;
  else
    s->ends = true;
}

static void
answer_end (struct top_screen *s, int key)
{
  s->question = TOP_NO_QUESTION;
  if (key == 't' && !top_program_has_ended (s->top->program))
    kill (s->top->program->pid, SIGTERM);
  s->ends = key == 't' || key == 'l';
}

static void
answer_filter (struct top_screen *s, int key)
{
  char *filter = s->top->choice.filter;
  size_t n = strlen (filter);
  if (key == '\n' || key == '\r' || key == KEY_ENTER)
    s->question = TOP_NO_QUESTION;
  else if (key == KEY_ESCAPE || key == KEY_CONTROL_C)
    {
      s->question = TOP_NO_QUESTION;
      *filter = '\0';
    }
  else if ((key == KEY_BACKSPACE || key == KEY_DELETE || key == '\b') && n)
    filter[n - 1] = '\0';
  else if (key >= ' ' && key < 256 && key != KEY_DELETE && n + 1 < sizeof s->top->choice.filter)
    {
      filter[n] = (char) key;
      filter[n + 1] = '\0';
    }
}

/* Keys of the list.  False: it is none of these. */
static bool
press_list (struct top_screen *s, int key)
{
  long page = (long) top_list_height ();
  switch (key)
    {
    case KEY_UP: move_selection (s, -1); return true;
    case KEY_DOWN: move_selection (s, 1); return true;
    case KEY_PPAGE: move_selection (s, -page); return true;
    case KEY_NPAGE: move_selection (s, page); return true;
    case KEY_HOME: move_selection (s, -(long) s->top->rows.n); return true;
    case KEY_END: move_selection (s, (long) s->top->rows.n); return true;
    case 's':
    case '>': sort_by_next (s, 1); return true;
    case 'S':
    case '<': sort_by_next (s, -1); return true;
    default: return false;
    }
}

static void
press_page (struct top_screen *s, int key)
{
  switch (key)
    {
    case '\n':
    case '\r':
    case KEY_ENTER:
      move_selection (s, 0);
      toggle_page (s, TOP_PAGE_THREAD);
      break;
    case 'c': toggle_page (s, TOP_PAGE_CPUS); break;
    case 'h':
    case '?':
      s->back = s->page;
      s->page = TOP_PAGE_HELP;
      break;
    case KEY_ESCAPE: s->page = TOP_PAGE_THREADS; break;
    case '/': s->question = TOP_ASKS_FILTER; break;
    default: break;
    }
}

static void
press_any (struct top_screen *s, int key)
{
  switch (key)
    {
    case 'q':
    case KEY_CONTROL_C: ask_to_end (s); break;
    case KEY_CONTROL_Z:
      s->top->stop ();
      s->top->redraw = true;
      break;
    case 'p': s->paused = !s->paused; break;
    case 'r': s->top->choice.reverse = !s->top->choice.reverse; break;
    case 'd': s->top->choice.dead = !s->top->choice.dead; break;
    case 'R': top_sums_reset (&s->top->watch.sums); break;
    case '+':
    case '-': change_interval (s, key == '+'); break;
    default: press_page (s, key);
    }
}

void
top_press (struct top_screen *s, int key)
{
  if (s->question == TOP_ASKS_FILTER)
    answer_filter (s, key);
  else if (s->question == TOP_ASKS_END)
    answer_end (s, key);
  else if (s->page == TOP_PAGE_HELP)
    s->page = s->back;
  else if (!press_list (s, key))
    press_any (s, key);
}
