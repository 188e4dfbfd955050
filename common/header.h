/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines above a page's tables: "word     text", wrapped at 80 columns where the text has
   blanks. */
#ifndef BBPROF_HEADER_H
#define BBPROF_HEADER_H

#include <stddef.h>
#include <stdio.h>

enum { HEADER_WIDTH = 80 };

/* Prints WORD in a column of its own, then what FORMAT makes, and a newline.  Names in the text
   must have gone through visible (). */
void header_print (FILE *, const char *word, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* Prints TEXT in lines of WIDTH columns, with WORD in a column of INDENT before the first line. */
void header_wrap (FILE *, const char *word, size_t indent, size_t width, const char *text);

#endif
