/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "tools/trace/trace_fold.h"

static bool
is_equal (const struct trace_event *a, const struct trace_event *b)
{
  return a->block == b->block && a->depth == b->depth;
}

static struct trace_event *
line_at (struct fold *f, size_t i)
{
  return &f->lines[f->first + i];
}

/* Prints the first N lines. */
static void
show (struct fold *f, size_t n)
{
  for (size_t i = 0; i < n; i++)
    f->line (f->of, line_at (f, i), 1);
  f->first += n;
  f->count -= n;
}

static void
append (struct fold *f, const struct trace_event *ev)
{
  if (f->count == 2 * FOLD_LONGEST)
    show (f, 1);
  if (f->first + f->count == FOLD_ROOM)
    {
      memmove (f->lines, line_at (f, 0), f->count * sizeof *f->lines);
      f->first = 0;
    }
  *line_at (f, f->count++) = *ev;
}

/* Are the last N lines equal to the N lines before them? */
static bool
repeats (struct fold *f, size_t n)
{
  for (size_t i = 1; i <= n; i++)
    if (!is_equal (line_at (f, f->count - i), line_at (f, f->count - i - n)))
      return false;
  return true;
}

/* The shortest sequence that just came twice begins a repetition. */
static void
look_for_repetition (struct fold *f)
{
  for (size_t n = 1; 2 * n <= f->count; n++)
    if (repeats (f, n))
      {
        show (f, f->count - 2 * n);
        f->count = f->period = n;
        f->times = 2;
        f->nagain = 0;
        return;
      }
}

/* Ends the repetition; an incomplete iteration is printed as ordinary lines. */
static void
end_repetition (struct fold *f)
{
  if (f->period == 1)
    f->line (f->of, line_at (f, 0), f->times);
  else
    {
      show (f, f->period);
      f->group (f->of, f->period, f->times);
    }
  f->period = f->first = f->count = 0;
  for (size_t i = 0; i < f->nagain; i++)
    append (f, &f->again[i]);
}

void
fold_add (struct fold *f, const struct trace_event *ev)
{
  if (f->period && is_equal (ev, line_at (f, f->nagain)))
    {
      f->again[f->nagain++] = *ev;
      if (f->nagain == f->period)
        {
          f->times++;
          f->nagain = 0;
        }
      return;
    }
  if (f->period)
    end_repetition (f);
  append (f, ev);
  look_for_repetition (f);
}

void
fold_end (struct fold *f)
{
  if (f->period)
    end_repetition (f);
  show (f, f->count);
  f->first = 0;
}
