/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Appearance of a report: colour and width. */
#ifndef BBPROF_STYLE_H
#define BBPROF_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum emphasis { PLAIN, TITLE, FAINT, ALARM, RELIEF, HOT, WARM };

struct style {
  bool colour;
  bool bars;      /* draw shares as bars too: on a terminal */
  bool utf8;      /* the locale's characters are UTF-8 */
  size_t columns; /* of the terminal; 0: unlimited */
};

/* WHEN: auto (colour on a terminal, if NO_COLOR is not set), always, never; null: auto.  False:
   another word. */
bool style_choose (struct style *, const char *when);

/* Of a row with this SHARE (0 to 1) of the whole: hot from a tenth on, warm from a fiftieth on. */
enum emphasis style_heat (double share);

/* Sets the appearance of all further text on OUT, until the next call. */
void style_put (const struct style *, FILE *out, enum emphasis);

#endif
