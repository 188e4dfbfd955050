/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tools/timeline/timeline_strip.h"
#include "tools/view/short_name.h"

enum look {
  LOOK_NOTHING,
  LOOK_RUNS,
  LOOK_READY,
  LOOK_BOTH,
  LOOK_MUCH_READY,
  LOOK_SLEEPS,
  LOOK_LOCKED,
  LOOK_UNKNOWN
};

/* Escape sequences in front of a character; \033[0m ends each. */
static const char *const codes[] = {
  [LOOK_NOTHING] = "",
  [LOOK_RUNS] = "\033[32m",
  [LOOK_READY] = "\033[33m",
  /* on dark yellow: ready for a small part of the rest */
  [LOOK_BOTH] = "\033[32;48;5;58m",
  [LOOK_MUCH_READY] = "\033[32;48;5;136m", /* ready for most of the rest */
  [LOOK_SLEEPS] = "\033[2m",
  [LOOK_LOCKED] = "\033[36m",
  [LOOK_UNKNOWN] = "\033[31m",
};

static uint64_t
length_of (const struct timeline_cell *c)
{
  return c->time[TIMELINE_RUNNING] + c->time[TIMELINE_READY] + c->time[TIMELINE_SLEEPING]
         + c->time[TIMELINE_UNKNOWN];
}

static enum look
look_of (const struct timeline_cell *c)
{
  uint64_t runs = c->time[TIMELINE_RUNNING], ready = c->time[TIMELINE_READY],
           length = length_of (c);
  if (length == 0)
    return LOOK_NOTHING;
  if (runs > 0 && ready > runs / 8)
    return ready * 2 >= length - runs ? LOOK_MUCH_READY : LOOK_BOTH;
  if (runs > 0)
    return LOOK_RUNS;
  if (ready > 0)
    return LOOK_READY;
  if (c->time[TIMELINE_UNKNOWN] > 0)
    return LOOK_UNKNOWN;
  return c->lock * 2 >= length ? LOOK_LOCKED : LOOK_SLEEPS;
}

/* The share of WHOLE in eighths: all of it is 8, more than nothing at least 1. */
static unsigned
eighths (uint64_t part, uint64_t whole)
{
  return part >= whole ? 8 : 1 + (unsigned) (7 * (double) part / (double) whole);
}

/* Without colour a character shows one state, if it has three fifths of the time of both, or that
   neither has. */
static enum look
main_look (const struct timeline_cell *c, enum look look)
{
  uint64_t runs = c->time[TIMELINE_RUNNING], ready = c->time[TIMELINE_READY];
  if (look != LOOK_BOTH && look != LOOK_MUCH_READY)
    return look;
  return runs * 2 >= ready * 3 ? LOOK_RUNS : ready * 2 >= runs * 3 ? LOOK_READY : LOOK_BOTH;
}

static const char *
ascii_of (const struct timeline_cell *c, enum look look, uint64_t width)
{
  switch (main_look (c, look))
    {
    case LOOK_RUNS: return c->time[TIMELINE_RUNNING] * 2 >= width ? "R" : "r";
    case LOOK_READY: return c->time[TIMELINE_READY] * 2 >= width ? "W" : "w";
    case LOOK_BOTH:
      return (c->time[TIMELINE_RUNNING] + c->time[TIMELINE_READY]) * 2 >= width ? "X" : "x";
    case LOOK_SLEEPS: return ".";
    case LOOK_LOCKED: return "l";
    case LOOK_UNKNOWN: return "?";
    case LOOK_MUCH_READY:
    case LOOK_NOTHING: break;
    }
  return " ";
}

/* Colour shows that the thread was ready, too; the height shows how long it ran. */
static const char *
block_of (const struct timeline_cell *c, enum look look, uint64_t width, bool colour)
{
  static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  switch (colour ? look : main_look (c, look))
    {
    case LOOK_BOTH:
      if (!colour)
        return "▚";
      /* fall through */
    case LOOK_MUCH_READY:
    case LOOK_RUNS: return blocks[eighths (c->time[TIMELINE_RUNNING], width)];
    case LOOK_READY: return c->time[TIMELINE_READY] * 2 >= width ? "▒" : "░";
    case LOOK_SLEEPS: return "·";
    case LOOK_LOCKED: return "╌";
    case LOOK_UNKNOWN: return "?";
    case LOOK_NOTHING: break;
    }
  return " ";
}

static void
print_look (FILE *out, const struct style *style, enum look look, const char *text)
{
  bool coloured = style->colour && *codes[look];
  fprintf (out, "%s%s%s", coloured ? codes[look] : "", text, coloured ? "\033[0m" : "");
}

void
timeline_strip_print (FILE *out, const struct style *style, bool ascii,
                      const struct timeline_scale *s, const struct timeline_cell *cells)
{
  enum look before = LOOK_NOTHING;
  for (size_t i = 0; i < s->cells; i++)
    {
      uint64_t width = timeline_scale_bound (s, i + 1) - timeline_scale_bound (s, i);
      enum look look = look_of (&cells[i]);
      if (style->colour && look != before)
        fprintf (out, "%s%s", *codes[before] ? "\033[0m" : "", codes[look]);
      fputs (ascii ? ascii_of (&cells[i], look, width)
                   : block_of (&cells[i], look, width, style->colour),
             out);
      before = look;
    }
  if (style->colour && *codes[before])
    fputs ("\033[0m", out);
}

void
timeline_strip_legend (FILE *out, const struct style *style, bool ascii, size_t width)
{
  static const struct entry {
    enum look look;
    const char *ascii, *blocks, *text;
  } entries[] = {
    { LOOK_RUNS, "R r", "█▄▁", " running (all, half, little of it)" },
    { LOOK_READY, "W w", "▒░", " ready, waits for a processor" },
    { LOOK_BOTH, "X x", "▚", " both" },
    { LOOK_LOCKED, "l", "╌", " waits for a lock" },
    { LOOK_SLEEPS, ".", "·", " sleeps" },
    { LOOK_UNKNOWN, "?", "?", " not known" },
  };
  size_t at = 0;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    {
      const struct entry *e = &entries[i];
      const char *shown = ascii                                   ? e->ascii
                          : e->look == LOOK_BOTH && style->colour ? "▄▁"
                                                                  : e->blocks;
      const char *text = ascii && e->look == LOOK_RUNS
                             ? " running (capital: half of the time or more)"
                         : !style->colour && e->look == LOOK_BOTH ? " as much ready as running"
                                                                  : e->text;
      size_t columns = short_name_columns (shown) + short_name_columns (text);
      bool breaks = at > 0 && at + 2 + columns > width;
      fputs (breaks ? "\n" : at > 0 ? "  " : "", out);
      at = (breaks || at == 0 ? 0 : at + 2) + columns;
      print_look (out, style, e->look, shown);
      fputs (text, out);
    }
  fputc ('\n', out);
}

char
timeline_strip_key (size_t i)
{
  static const char keys[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return i < sizeof keys - 1 ? keys[i] : TIMELINE_NO_KEY;
}

void
timeline_strip_print_key (FILE *out, const struct style *style, size_t i)
{
  static const unsigned char colours[] = { 32, 33, 36, 35, 34, 31 };
  char key = timeline_strip_key (i);
  if (style->colour && key != TIMELINE_NO_KEY)
    fprintf (out, "\033[%um%c\033[0m", colours[i % sizeof colours], key);
  else
    fputc (key, out);
}
