/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recent past of a thread, in the characters and colours of the timeline (timeline_strip.c). */
#include "config.h"

#include <ncurses.h>

#include "tools/top/top_screen.h"

/* A character is a quarter of the interval, but at least a slice and at most a second. */
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

/* Shares of a character's time, from 0 to 1. */
struct shares {
  double runs, ready, unknown;
};

static enum top_colour
colour_of (const struct shares *c)
{
  if (c->runs > 0 && c->ready > c->runs / 8)
    return c->ready * 2 >= 1 - c->runs ? TOP_MUCH_READY : TOP_LITTLE_READY;
  return c->runs > 0 ? TOP_GREEN : c->ready > 0 ? TOP_YELLOW : c->unknown > 0 ? TOP_RED : TOP_FAINT;
}

/* The state that a character shows: the longer one; both, if neither has the greater part. */
static enum top_colour
word_of (const struct shares *c)
{
  double ours = c->runs + c->ready;
  enum top_colour colour = colour_of (c);
  if (colour != TOP_MUCH_READY && colour != TOP_LITTLE_READY)
    return colour;
  return c->runs > 0.6 * ours ? TOP_GREEN : c->ready > 0.6 * ours ? TOP_YELLOW : colour;
}

static const char *
letter_of (const struct shares *c)
{
  switch (word_of (c))
    {
    case TOP_GREEN: return c->runs >= 0.5 ? "R" : "r";
    case TOP_YELLOW: return c->ready >= 0.5 ? "W" : "w";
    case TOP_RED: return "?";
    case TOP_FAINT: return ".";
    default: return c->runs >= 0.5 ? "X" : "x";
    }
}

/* Colour shows that the thread was ready, too; the height shows how long it ran. */
static const char *
block_of (const struct shares *c, bool colours)
{
  enum top_colour colour = colours ? colour_of (c) : word_of (c);
  static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  if (colour == TOP_YELLOW)
    return c->ready >= 0.5 ? "▒" : "░";
  if (colour == TOP_RED)
    return "?";
  if (colour == TOP_FAINT)
    return "·";
  return colour == TOP_GREEN || colours ? blocks[c->runs >= 1 ? 7 : (int) (c->runs * 7)] : "▚";
}

static void
draw_character (const struct top_screen *s, int row, int column, const struct shares *c)
{
  enum top_colour colour = colour_of (c);
  int attribute = top_attribute (s, colour);
  attron (attribute);
  mvaddstr (row, column, s->utf8 ? block_of (c, s->colour) : letter_of (c));
  attroff (attribute);
}

void
top_draw_strip (const struct top_screen *s, const struct top_thread *t, int row, int column,
                int width)
{
  uint64_t now = s->top->watch.sums.now, n = slices_of_character (s), length = n * TOP_SLICE,
           last = now ? (now - 1) / length : 0;
  for (int i = 0; i < width; i++)
    {
      if (last + 1 + (uint64_t) i < (uint64_t) width)
        continue;
      uint64_t at = last + 1 + (uint64_t) i - (uint64_t) width, begin = at * length,
               end = begin + length < now ? begin + length : now;
      if (end <= begin || end <= t->born || begin >= t->died || at * n + TOP_SLICES < t->nslices)
        continue;
      struct top_slice sum = top_sums_slices (t, at * n, n);
      double whole = (double) (end - begin);
      draw_character (s, row, column + i,
                      &(struct shares) { sum.time[TIMELINE_RUNNING] / whole,
                                         sum.time[TIMELINE_READY] / whole,
                                         sum.time[TIMELINE_UNKNOWN] / whole });
    }
}
