/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of text for a terminal. */
#ifndef BBPROF_COLOUR_H
#define BBPROF_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
enum colour { COLOUR_PLAIN, COLOUR_WORSE, COLOUR_BETTER };

/* auto, always, never; null is always, as in --color without a value.  False: something else. */
bool colour_parse (const char *, enum colour_when *);

/* Is OUT to have colours?  Of itself, if it is a terminal that can show them, and NO_COLOR is not set. */
bool colour_wanted (enum colour_when, FILE *out);

/* What is printed next has this colour. */
void colour_set (FILE *out, bool wanted, enum colour);

#endif
