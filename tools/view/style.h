/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a page looks: with colour or without, and how wide it may be. */
#ifndef BBPROF_STYLE_H
#define BBPROF_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum emphasis { PLAIN, TITLE, FAINT, ALARM, RELIEF, HOT, WARM };

struct style {
  bool colour;
  bool bars;      /* shares are drawn as well: on a terminal */
  bool utf8;      /* the characters of the locale */
  size_t columns; /* of the terminal; 0: as wide as it has to be */
};

/* WHEN: auto (with colour on a terminal, if NO_COLOR is not set), always, never; null: auto.
   False: none of these. */
bool style_choose (struct style *, const char *when);

/* What follows on OUT is to look so; until the next call. */
void style_put (const struct style *, FILE *out, enum emphasis);

#endif
