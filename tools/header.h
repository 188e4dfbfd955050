/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines above a page's tables: "word     text", in at most 80 columns where the text has commas, colons or semicolons to break at. */
#ifndef BBPROF_HEADER_H
#define BBPROF_HEADER_H

#include <stdio.h>

/* WORD in a column of its own, and what FORMAT makes; names in it are visible already.  Ends the line. */
void header_print (FILE *, const char *word, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

#endif
