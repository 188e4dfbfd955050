/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recent past of a thread: how high a character is says how much of its time the thread ran; hatched, it was rather ready than
   running. */
#include "config.h"

#include <ncurses.h>

#include "top_screen.h"

/* A character is a quarter of the interval, but at least a slice, and at most a second. */
static uint64_t
slices_of_character (const struct top_screen *s)
{
  uint64_t n = s->interval / 4 / TOP_SLICE, most = 1000000000 / TOP_SLICE;
  return n < 1 ? 1 : n > most ? most : n;
}

uint64_t
top_strip_span (const struct top_screen *s, int width)
{
  return (uint64_t) width * slices_of_character (s) * TOP_SLICE;
}

/* SHARE, from 0 to 1, as one of N words, the first of which is for nothing at all. */
static const char *
word_of (const char *const *words, int n, double share)
{
  int level = share < 0.001 ? 0 : 1 + (int) (share * (n - 1));
  return words[level < n ? level : n - 1];
}

static void
draw_character (const struct top_screen *s, int row, int column, double run, double ready)
{
  static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }, *const hatches[] = { " ", "░", "▒", "▓" };
  static const char *const signs[] = { " ", ".", ":", "+", "#" }, *const letters[] = { " ", "r", "R" };
  bool waits = ready > run;
  const char *word;
  if (s->utf8)
    word = waits ? word_of (hatches, 4, run + ready) : word_of (heights, 9, run + ready);
  else
    word = waits ? word_of (letters, 3, run + ready) : word_of (signs, 5, run + ready);
  attron (top_attribute (s, waits ? TOP_RED : TOP_GREEN));
  mvaddstr (row, column, word);
  attroff (top_attribute (s, waits ? TOP_RED : TOP_GREEN));
}

void
top_draw_strip (const struct top_screen *s, const struct top_thread *t, int row, int column, int width)
{
  uint64_t now = s->top->watch.sums.now, n = slices_of_character (s), length = n * TOP_SLICE, last = now ? (now - 1) / length : 0;
  for (int i = 0; i < width; i++)
    {
      if (last + 1 + (uint64_t) i < (uint64_t) width)
        continue;
      uint64_t at = last + 1 + (uint64_t) i - (uint64_t) width, begin = at * length, end = begin + length < now ? begin + length : now;
      struct top_slice sum = top_sums_slices (t, at * n, n);
      if (end > begin)
        draw_character (s, row, column + i, (double) sum.run / (double) (end - begin), (double) sum.ready / (double) (end - begin));
    }
}
