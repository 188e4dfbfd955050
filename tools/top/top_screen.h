/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of bbprof top (top_screen.c has the terminal and the loop). */
#ifndef BBPROF_TOP_SCREEN_H
#define BBPROF_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/top/top.h"

enum top_page { TOP_PAGE_THREADS, TOP_PAGE_CPUS, TOP_PAGE_THREAD, TOP_PAGE_HELP };

/* The question that the next keys answer. */
enum top_question { TOP_NO_QUESTION, TOP_ASKS_END, TOP_ASKS_FILTER };

struct top_screen {
  struct top *top;
  uint64_t interval;
  enum top_page page, back; /* BACK: the page before the help */
  enum top_question question;
  uint32_t selected; /* tid of the selected thread; 0: none yet */
  unsigned columns;  /* columns of the list that fit: a bit for each */
  size_t first;      /* first row of the list on the screen */
  bool utf8, colour, paused;
  bool ends; /* the user has ended it */
};

/* How text is marked. */
enum top_colour {
  TOP_PLAIN,
  TOP_GREEN,        /* running */
  TOP_YELLOW,       /* ready */
  TOP_LITTLE_READY, /* running; ready for a small part of the rest, */
  TOP_MUCH_READY,   /* or for most of it */
  TOP_RED,          /* not known */
  TOP_FAINT
};

/* top_draw.c: draws all of it. */
void top_draw (struct top_screen *);
size_t top_list_height (void); /* rows of the list */

/* top_put.c: draws TEXT into row ROW from COLUMN on, cut at WIDTH; unprintable characters become
   question marks. */
void top_draw_text (const struct top_screen *, int row, int column, int width, const char *text);
int top_attribute (const struct top_screen *, enum top_colour);
size_t top_selected_row (const struct top_screen *);

/* top_pages.c: the other pages, from ROW on. */
void top_draw_cpus (const struct top_screen *, int row, int end);
void top_draw_thread (const struct top_screen *, int row, int end);
void top_draw_help (const struct top_screen *, int row, int end);

/* top_strip.c: the recent past of a thread, a character for each part of it. */
void top_draw_strip (const struct top_screen *, const struct top_thread *, int row, int column,
                     int width);
/* The time of WIDTH characters, in nanoseconds. */
uint64_t top_strip_span (const struct top_screen *, int width);

/* top_keys.c. */
void top_press (struct top_screen *, int key);

#endif
