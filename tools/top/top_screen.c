/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal and its loop: records are taken, keys are obeyed, and after each interval all is
   drawn again.  Signals are held (top_program.c), so no handler of curses is ever called, and the
   terminal is restored at any end. */
#include "config.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/top/top_screen.h"

/* For terminals with 256 colours: those of the timeline. */
enum { DARK_YELLOW = 58, PALE_YELLOW = 136 };

static void
stop (void)
{
  endwin ();
  top_stop ();
}

/* The terminal's size may have changed, and its contents may not be top's. */
static void
take_terminal_again (struct top_screen *s)
{
  struct winsize size;
  reset_prog_mode ();
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col)
    resizeterm (size.ws_row, size.ws_col);
  clearok (stdscr, TRUE);
  s->top->redraw = false;
}

static bool
is_hung_up (void)
{
  struct pollfd in = { .fd = STDIN_FILENO };
  return poll (&in, 1, 0) == 1 && (in.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* True: something has to be drawn. */
static bool
obey (struct top_screen *s)
{
  bool any = false;
  for (int key; !s->ends && (key = getch ()) != ERR; any = true)
    if (key != KEY_RESIZE)
      {
        top_press (s, key);
        top_rows_choose (&s->top->rows, &s->top->watch.sums, &s->top->choice);
      }
  if (s->top->redraw)
    {
      take_terminal_again (s);
      any = true;
    }
  return any;
}

/* *SIGNAL: the signal that ended it.  False: out of memory. */
static bool
watch (struct top_screen *s, int *signal)
{
  struct top *top = s->top;
  struct top_watch *w = &top->watch;
  unsigned long refreshes = 0;
  uint64_t due = 0;
  bool over = false; /* the end has been drawn */
  while (!s->ends && !*signal && !top->asked_to_end && !is_hung_up ())
    {
      uint64_t now = top_watch_now (w);
      bool again = obey (s);
      if (due > now + s->interval)
        due = now + s->interval; /* the list has become shorter */
      if ((now >= due && !s->paused && !over) || (w->ended && !over))
        {
          if (!top_refresh (top))
            return false;
          again = true;
          over = w->ended;
          due = (due && due + s->interval > now ? due : now) + s->interval;
          refreshes++;
        }
      if (s->ends || (top->options->refreshes && refreshes > top->options->refreshes))
        break;
      if (again)
        top_draw (s);
      if (!top_watch_take (w, s->paused || over ? TOP_PATIENCE : top_patience (due, now)))
        return false;
      *signal = top_obey_signals (top);
    }
  return true;
}

static void
choose_colours (struct top_screen *s)
{
  const char *no = getenv ("NO_COLOR");
  s->colour = !(no && *no) && has_colors () && start_color () == OK;
  if (!s->colour)
    return;
  use_default_colors ();
  init_pair (TOP_GREEN, COLOR_GREEN, -1);
  init_pair (TOP_YELLOW, COLOR_YELLOW, -1);
  init_pair (TOP_RED, COLOR_RED, -1);
  init_pair (TOP_LITTLE_READY, COLOR_GREEN, COLORS >= 256 ? DARK_YELLOW : -1);
  init_pair (TOP_MUCH_READY, COLOR_GREEN, COLORS >= 256 ? PALE_YELLOW : COLOR_YELLOW);
}

bool
top_screen (struct top *top, int *signal, struct error *err)
{
  const struct top_options *o = top->options;
  struct top_screen s
      = { .top = top, .interval = o->interval, .page = o->cpus ? TOP_PAGE_CPUS : TOP_PAGE_THREADS };
  const char *name = getenv ("TERM");
  setlocale (LC_CTYPE, "");
  s.utf8 = strcmp (nl_langinfo (CODESET), "UTF-8") == 0 && !o->ascii;
  SCREEN *terminal = newterm (NULL, stdout, stdin);
  if (terminal && !tigetstr ("cup")) /* curses would draw to nowhere */
    {
      endwin ();
      delscreen (terminal);
      terminal = NULL;
    }
  if (!terminal)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "no screen on a terminal '%s'; use --batch or --json", name ? name : "");
  raw ();
  noecho ();
  nonl ();
  keypad (stdscr, TRUE);
  set_escdelay (25);
  timeout (0);
  curs_set (0);
  choose_colours (&s);
  top->stop = stop;
  bool ok = watch (&s, signal);
  endwin ();
  delscreen (terminal);
  top->stop = top_stop;
  return ok || error_no_memory (err);
}
