/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interactive form: shows the position, its source and the call stack.  A key is the letter
   of a command; the screen shows what the command prints in the plain form. */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/visible.h"
#include "tools/replay/replay_session.h"

enum { FRAMES_SHOWN = 6, LINE_BYTES = 1024 };

/* Letters of commands with an argument. */
static const char asking[] = "gtvBdT";

static const char hint[] = "s,b step  n,p line  f,u function  c,r stop  g goto  t time  v visit  T "
                           "thread  B break  ? help  q quit";

struct screen {
  struct replay_session *session;
  char *message; /* shown until the next key; or null */
};

/* Returns ERR if the terminal is gone.  SIGWINCH is blocked except during this wait.  Otherwise
   a signal between the check and getch's read would take effect only with the next key, and the
   screen would be wrong until then. */
static int
next_key (void)
{
  sigset_t waiting;
  sigprocmask (SIG_BLOCK, NULL, &waiting);
  sigdelset (&waiting, SIGWINCH);
  for (int ready = 0;;)
    {
      timeout (0);
      int key = getch ();
      timeout (-1);
      if (key != ERR || ready > 0)
        return key;
      ready = ppoll (&(struct pollfd) { .fd = STDIN_FILENO, .events = POLLIN }, 1, NULL, &waiting);
      if (ready < 0 && errno != EINTR)
        return ERR;
    }
}

/* Draws one line, TEXT up to its end of line, with the attribute ATTR. */
static void
draw_line (int row, const char *text, size_t length, int attr)
{
  char line[LINE_BYTES];
  int n = 0, room = COLS < LINE_BYTES ? COLS : LINE_BYTES;
  for (size_t i = 0; i < length && n < room; i++)
    if (text[i] == '\t')
      do
        line[n++] = ' ';
      while (n % 8 != 0 && n < room);
    else
      line[n++] = (unsigned char) text[i] < ' ' || text[i] == 127 ? '?' : text[i];
  if (attr != A_NORMAL)
    while (n < room)
      line[n++] = ' ';
  attrset (attr);
  mvaddnstr (row, 0, line, n);
  attrset (A_NORMAL);
}

/* Draws at most N lines of TEXT from row ROW on; the current one is highlighted. */
static void
draw_text (int row, int n, const char *text)
{
  static const char mark[] = "=> ";
  for (; n > 0 && *text; n--, row++)
    {
      size_t length = strcspn (text, "\n");
      draw_line (row, text, length,
                 strncmp (text, mark, sizeof mark - 1) == 0 ? A_BOLD | A_UNDERLINE : A_NORMAL);
      text += length + (text[length] == '\n');
    }
}

/* Returns the output of PRINT, allocated; null: no memory. */
static char *
printed (struct replay_session *s, void (*print) (struct replay_session *, unsigned, FILE *),
         unsigned n)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return NULL;
  print (s, n, out);
  fclose (out);
  return text;
}

static void
draw_printed (struct screen *w, int row, int n,
              void (*print) (struct replay_session *, unsigned, FILE *), unsigned around)
{
  char *text = n > 0 ? printed (w->session, print, around) : NULL;
  if (text)
    draw_text (row, n, text);
  free (text);
}

static void
print_status (struct replay_session *s, unsigned n, FILE *out)
{
  (void) n;
  fprintf (out, "%s  ", visible (s->file));
  replay_print_place (s, out);
}

/* From the top: the position; a warning, if any; the source; the frames; a message, if any; the
   keys. */
static void
draw (struct screen *w)
{
  const char *warning = w->session->warning;
  int top = warning ? 2 : 1, frames = LINES > 3 * FRAMES_SHOWN ? FRAMES_SHOWN : LINES / 3,
      body = LINES - frames - 3 - top;
  char *status = printed (w->session, print_status, 0);
  erase ();
  if (status)
    draw_line (0, status, strlen (status), A_REVERSE);
  free (status);
  if (warning)
    draw_line (1, visible (warning), strlen (visible (warning)), A_BOLD);
  if (replay_place (&w->session->replay) && body > 0)
    {
      draw_printed (w, top, body, replay_print_list, (unsigned) (body - 1) / 2);
      draw_line (body + top, "called from", strlen ("called from"), A_REVERSE);
      draw_printed (w, body + top + 1, frames, replay_print_stack, (unsigned) frames);
    }
  if (w->message && *w->message)
    draw_line (LINES - 2, w->message, strcspn (w->message, "\n"), A_BOLD);
  draw_line (LINES - 1, hint, strlen (hint), A_REVERSE);
  refresh ();
}

/* Shows a text of several lines until a key is pressed. */
static void
show_text (const char *text)
{
  erase ();
  draw_text (0, LINES - 1, text);
  draw_line (LINES - 1, "any key: back", strlen ("any key: back"), A_REVERSE);
  refresh ();
  next_key ();
}

static bool
is_long (const char *text)
{
  const char *end = strchr (text, '\n');
  return end && end[1] != '\0';
}

/* False: the command was quit. */
static bool
obey (struct screen *w, const char *command)
{
  size_t size;
  free (w->message);
  w->message = NULL;
  FILE *out = open_memstream (&w->message, &size);
  if (!out)
    return false;
  enum replay_effect effect = replay_command (w->session, command, out);
  fclose (out);
  if (w->message && effect == REPLAY_STAYED && is_long (w->message))
    {
      show_text (w->message);
      *w->message = '\0';
    }
  return effect != REPLAY_QUIT;
}

/* Reads the argument of command LETTER; 0: reads a whole command. */
static bool
ask (struct screen *w, char letter)
{
  char command[LINE_BYTES] = { letter, ' ' };
  move (LINES - 2, 0);
  clrtoeol ();
  printw ("%c ", letter ? letter : ':');
  echo ();
  curs_set (1);
  int got = getnstr (command + (letter ? 2 : 0), LINE_BYTES - 3);
  curs_set (0);
  noecho ();
  return got == ERR || obey (w, command);
}

static bool
press (struct screen *w, int key)
{
  char command[] = { (char) key, '\0' };
  switch (key)
    {
    case KEY_RIGHT: return obey (w, "step");
    case KEY_LEFT: return obey (w, "back");
    case KEY_DOWN: return obey (w, "next");
    case KEY_UP: return obey (w, "prev");
    case KEY_HOME: return obey (w, "goto 0");
    case KEY_END: return obey (w, "goto end");
    case ':': return ask (w, '\0');
    case KEY_RESIZE: return true;
    default:
      if (key <= ' ' || key > '~')
        return true;
      return strchr (asking, key) ? ask (w, (char) key) : obey (w, command);
    }
}

bool
replay_screen (struct replay_session *s)
{
  struct screen w = { .session = s };
  sigset_t resized, before;
  int key;
  sigemptyset (&resized);
  sigaddset (&resized, SIGWINCH);
  sigprocmask (SIG_BLOCK, &resized, &before);
  setlocale (LC_CTYPE, "");
  SCREEN *terminal = newterm (NULL, stdout, stdin);
  if (!terminal)
    {
      sigprocmask (SIG_SETMASK, &before, NULL);
      return false;
    }
  cbreak ();
  noecho ();
  keypad (stdscr, TRUE);
  curs_set (0);
  do
    draw (&w);
  while ((key = next_key ()) != ERR && press (&w, key));
  endwin ();
  delscreen (terminal);
  sigprocmask (SIG_SETMASK, &before, NULL);
  free (w.message);
  return true;
}
