/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "tools/replay/replay_session.h"
#include "tools/view/duration.h"

enum { LINES_AROUND = 5 };

struct word {
  const char *name, *letter;
  const char *takes; /* its arguments, as help shows them */
  const char *help;
  enum replay_effect (*run) (struct replay_session *, const char *rest, FILE *out);
  bool anywhere; /* allowed in a thread that executed nothing */
};

/* The stream for a complaint about a command. */
static FILE *
complain (struct replay_session *s, FILE *out)
{
  s->misused = true;
  if (!s->complaints)
    return out;
  fflush (out);
  fputs ("bbprof replay: ", s->complaints);
  return s->complaints;
}

/* Arguments. */

/* Reads a number at *TEXT and moves *TEXT behind it and the following blanks. */
static bool
take_number (const char **text, uint64_t *number)
{
  char *end;
  errno = 0;
  *number = strtoull (*text, &end, 10);
  if (!isdigit ((unsigned char) **text) || errno || (*end && !isblank ((unsigned char) *end)))
    return false;
  *text = end + strspn (end, " \t");
  return true;
}

/* REST must be a number; empty means 1. */
static bool
take_count (struct replay_session *s, const char *rest, uint64_t *n, FILE *out)
{
  *n = 1;
  if (*rest == '\0' || (take_number (&rest, n) && *rest == '\0'))
    return true;
  fprintf (complain (s, out), "not a number: %s\n", visible (rest));
  return false;
}

static bool
take_location (struct replay_session *s, const char *text, struct location *w, FILE *out)
{
  struct error err;
  if (*text == '\0')
    {
      fputs ("needs a function, FILE:LINE or address\n", complain (s, out));
      return false;
    }
  if (location_find (w, &s->replay.lines, text, &err))
    return true;
  bool misused = s->misused;
  fprintf (complain (s, out), "%s\n", visible (err.text));
  s->misused = misused;
  s->unanswered = true;
  location_free (w);
  return false;
}

/* Answers. */

static enum replay_effect
tell (struct replay_session *s, enum replay_result result, FILE *out)
{
  switch (result)
    {
    case REPLAY_START: fputs ("nothing is recorded before this\n", out); break;
    case REPLAY_END:
      fprintf (out, "the record of this thread ends here%s\n",
               s->replay.blocks.cut ? ", in the middle: the process was killed, or the file is torn"
                                    : "");
      break;
    case REPLAY_LOST: fputs ("stopped: what was executed between is not recorded\n", out); break;
    case REPLAY_NONE: fputs ("there is no such place\n", out); return REPLAY_STAYED;
    case REPLAY_DONE:
    case REPLAY_STOP: break;
    }
  const struct thread_block *p = replay_place (&s->replay);
  if (p && (p->before & BLOCK_LOST) && result != REPLAY_LOST)
    fputs ("what was executed before this is not recorded\n", out);
  if (p && (p->before & BLOCK_SIGNAL))
    fputs ("a signal handler begins\n", out);
  if (p && (p->before & BLOCK_RESUMED))
    fputs ("a signal handler has ended\n", out);
  return REPLAY_MOVED;
}

/* Commands. */

static enum replay_effect
step (struct replay_session *s, const char *rest, FILE *out, enum replay_direction to)
{
  uint64_t n;
  return take_count (s, rest, &n, out) ? tell (s, replay_step (&s->replay, to, n), out)
                                       : REPLAY_STAYED;
}

static enum replay_effect
run_step (struct replay_session *s, const char *rest, FILE *out)
{
  return step (s, rest, out, REPLAY_FORWARD);
}

static enum replay_effect
run_back (struct replay_session *s, const char *rest, FILE *out)
{
  return step (s, rest, out, REPLAY_BACK);
}

/* Calls MOVE as often as REST says. */
static enum replay_effect
repeat (struct replay_session *s, const char *rest, FILE *out, enum replay_direction to,
        enum replay_result (*move) (struct replay *, enum replay_direction))
{
  enum replay_result result = REPLAY_DONE;
  uint64_t n;
  if (!take_count (s, rest, &n, out))
    return REPLAY_STAYED;
  for (; n > 0 && result == REPLAY_DONE; n--)
    result = move (&s->replay, to);
  return tell (s, result, out);
}

static enum replay_effect
run_next (struct replay_session *s, const char *rest, FILE *out)
{
  return repeat (s, rest, out, REPLAY_FORWARD, replay_line);
}

static enum replay_effect
run_prev (struct replay_session *s, const char *rest, FILE *out)
{
  return repeat (s, rest, out, REPLAY_BACK, replay_line);
}

static enum replay_effect
run_finish (struct replay_session *s, const char *rest, FILE *out)
{
  return repeat (s, rest, out, REPLAY_FORWARD, replay_leave);
}

static enum replay_effect
run_up (struct replay_session *s, const char *rest, FILE *out)
{
  return repeat (s, rest, out, REPLAY_BACK, replay_leave);
}

static enum replay_effect
run_goto (struct replay_session *s, const char *rest, FILE *out)
{
  uint64_t n = UINT64_MAX;
  if (strcmp (rest, "end") == 0 || (take_number (&rest, &n) && *rest == '\0'))
    return tell (s, replay_goto (&s->replay, n), out);
  fputs ("needs the number of a block, or end\n", complain (s, out));
  return REPLAY_STAYED;
}

static enum replay_effect
run_time (struct replay_session *s, const char *rest, FILE *out)
{
  uint64_t ns;
  if (duration_parse (rest, &ns))
    return tell (s, replay_time (&s->replay, ns), out);
  fputs ("needs a time: seconds since the start of the trace, or a number and ms, us or ns\n",
         complain (s, out));
  return REPLAY_STAYED;
}

static enum replay_effect
run_visit (struct replay_session *s, const char *rest, FILE *out)
{
  struct location location;
  uint64_t n;
  char sign = *rest == '+' || *rest == '-' ? *rest++ : ' ';
  if (!take_number (&rest, &n) || n == 0)
    {
      fputs ("needs a number from 1 (+N: forward, -N: backward from here) and a location\n",
             complain (s, out));
      return REPLAY_STAYED;
    }
  if (!take_location (s, rest, &location, out))
    return REPLAY_STAYED;
  enum replay_result result
      = sign == ' '
            ? replay_nth (&s->replay, &location, n)
            : replay_visit (&s->replay, sign == '-' ? REPLAY_BACK : REPLAY_FORWARD, &location, n);
  location_free (&location);
  return tell (s, result, out);
}

static void
list_threads (struct replay_session *s, FILE *out)
{
  for (unsigned i = 0; i < s->replay.nthreads; i++)
    {
      const struct trace_thread *t = &s->replay.threads[i];
      fprintf (out, "%c %u  tid %d  %s  from %.9f s to %.9f s\n", i == s->replay.thread ? '*' : ' ',
               i, t->tid, visible (t->name), (double) t->start / 1e9, (double) t->end / 1e9);
    }
}

static enum replay_effect
run_thread (struct replay_session *s, const char *rest, FILE *out)
{
  uint64_t n;
  if (*rest == '\0')
    {
      list_threads (s, out);
      return REPLAY_STAYED;
    }
  if (take_number (&rest, &n) && *rest == '\0' && n < s->replay.nthreads)
    return tell (s, replay_thread (&s->replay, (unsigned) n), out);
  fprintf (complain (s, out), "no such thread: %s\n", visible (rest));
  return REPLAY_STAYED;
}

static enum replay_effect
run_where (struct replay_session *s, const char *rest, FILE *out)
{
  (void) rest;
  replay_print_stack (s, UINT_MAX, out);
  return REPLAY_STAYED;
}

static enum replay_effect
run_list (struct replay_session *s, const char *rest, FILE *out)
{
  (void) rest;
  replay_print_list (s, LINES_AROUND, out);
  return REPLAY_STAYED;
}

static enum replay_effect
run_break (struct replay_session *s, const char *rest, FILE *out)
{
  if (*rest == '\0')
    for (size_t i = 0; i < s->nstops; i++)
      fprintf (out, "%zu  %s\n", i + 1, visible (s->stops[i].text));
  else if (!array_grow (&s->stops, s->nstops, &s->room_stops, sizeof *s->stops))
    fputs ("out of memory\n", out);
  else if (take_location (s, rest, &s->stops[s->nstops], out))
    {
      const struct location *w = &s->stops[s->nstops++];
      fprintf (out, "stop %zu: %s", s->nstops, visible (w->text));
      if (w->kind == LOCATION_LINE)
        fprintf (out, " (blocks begin on line %u)", w->line);
      fputc ('\n', out);
    }
  return REPLAY_STAYED;
}

static enum replay_effect
run_delete (struct replay_session *s, const char *rest, FILE *out)
{
  uint64_t n;
  if (!take_number (&rest, &n) || *rest || n == 0 || n > s->nstops)
    {
      fputs ("needs the number of a stop\n", complain (s, out));
      return REPLAY_STAYED;
    }
  location_free (&s->stops[n - 1]);
  s->nstops--;
  memmove (&s->stops[n - 1], &s->stops[n], (s->nstops - (n - 1)) * sizeof *s->stops);
  return REPLAY_STAYED;
}

static enum replay_effect
go_on (struct replay_session *s, FILE *out, enum replay_direction to)
{
  size_t hit;
  enum replay_result result = replay_run (&s->replay, to, s->stops, s->nstops, &hit);
  if (result == REPLAY_STOP)
    fprintf (out, "stop %zu: %s\n", hit + 1, visible (s->stops[hit].text));
  return tell (s, result, out);
}

static enum replay_effect
run_continue (struct replay_session *s, const char *rest, FILE *out)
{
  (void) rest;
  return go_on (s, out, REPLAY_FORWARD);
}

static enum replay_effect
run_reverse (struct replay_session *s, const char *rest, FILE *out)
{
  (void) rest;
  return go_on (s, out, REPLAY_BACK);
}

static enum replay_effect
run_quit (struct replay_session *s, const char *rest, FILE *out)
{
  (void) s;
  (void) rest;
  (void) out;
  return REPLAY_QUIT;
}

static enum replay_effect run_help (struct replay_session *, const char *rest, FILE *out);

static const struct word words[] = {
  { "step", "s", "[N]", "N blocks forward", run_step, false },
  { "back", "b", "[N]", "N blocks back", run_back, false },
  { "next", "n", "[N]", "to the next line, over calls", run_next, false },
  { "prev", "p", "[N]", "to the previous line, over calls", run_prev, false },
  { "finish", "f", "[N]", "forward until the function is left", run_finish, false },
  { "up", "u", "[N]", "back to the block that called the function", run_up, false },
  { "goto", "g", "N|end", "to block number N of the thread", run_goto, false },
  { "time", "t", "T", "to the first block at or after time T: seconds, or with ms, us, ns",
    run_time, false },
  { "visit", "v", "[+|-]N WHERE",
    "to the Nth visit of a location; +, -: from here forward, backward", run_visit, false },
  { "break", "B", "[WHERE]", "set a stop; without a location: list the stops", run_break, false },
  { "delete", "d", "N", "delete stop N", run_delete, false },
  { "continue", "c", "", "forward to the next stop", run_continue, false },
  { "reverse", "r", "", "back to the previous stop", run_reverse, false },
  { "thread", "T", "[N]", "to thread N at this time; without a number: list them", run_thread,
    true },
  { "where", "w", "", "the call stack", run_where, false },
  { "list", "l", "", "the source around the position, or the blocks", run_list, false },
  { "help", "?", "", "this text", run_help, true },
  { "quit", "q", "", "leave", run_quit, true },
};
enum { NWORDS = sizeof words / sizeof *words };

static enum replay_effect
run_help (struct replay_session *s, const char *rest, FILE *out)
{
  (void) s;
  (void) rest;
  for (int i = 0; i < NWORDS; i++)
    fprintf (out, "%s  %-8s %-13s %s\n", words[i].letter, words[i].name, words[i].takes,
             words[i].help);
  fputs ("WHERE is a function, FILE:LINE, or the address of a block (0x...).\n", out);
  return REPLAY_STAYED;
}

static const struct word *
find_word (const char *text, size_t length)
{
  for (int i = 0; i < NWORDS; i++)
    if ((strlen (words[i].name) == length && memcmp (words[i].name, text, length) == 0)
        || (length == 1 && *words[i].letter == *text))
      return &words[i];
  return NULL;
}

static void
refuse_word (struct replay_session *s, const char *word, size_t length, FILE *out)
{
  char *copy = strndup (word, length);
  fprintf (complain (s, out), "no such command: %s (help lists them)\n", visible (copy));
  free (copy);
}

enum replay_effect
replay_command (struct replay_session *s, const char *line, FILE *out)
{
  static const char blanks[] = " \t\r\n";
  line += strspn (line, blanks);
  size_t length = strcspn (line, blanks);
  const struct word *word = find_word (line, length);
  char *rest = strdup (line + length + strspn (line + length, blanks));
  enum replay_effect effect = REPLAY_STAYED;
  size_t end = rest ? strlen (rest) : 0;
  while (end > 0 && strchr (blanks, rest[end - 1]))
    rest[--end] = '\0';
  if (!rest)
    fputs ("out of memory\n", out);
  else if (!word && length > 0)
    refuse_word (s, line, length, out);
  else if (word && !word->anywhere && !replay_place (&s->replay))
    fputs ("this thread has executed nothing\n", out);
  else if (word)
    effect = word->run (s, rest, out);
  free (rest);
  return effect;
}
