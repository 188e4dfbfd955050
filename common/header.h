/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines above a page's tables: "word     text", in at most 80 columns where the text has
   blanks to break at. */
#ifndef BBPROF_HEADER_H
#define BBPROF_HEADER_H

#include <stddef.h>
#include <stdio.h>

enum { HEADER_WIDTH = 80 };

/* WORD in a column of its own, and what FORMAT makes; names in it are visible already.  Ends the
   line. */
void header_print (FILE *, const char *word, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* TEXT in lines of WIDTH columns, with WORD in a column of INDENT in front of the first one. */
void header_wrap (FILE *, const char *word, size_t indent, size_t width, const char *text);

#endif
