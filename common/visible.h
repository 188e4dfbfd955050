/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes foreign text (names of threads, programs, symbols and files, markers, arguments) safe to
   print on a terminal.  All text output uses it, so nothing in a name can move the cursor, change
   colours, rename a window, start a line or change the direction of writing. */
#ifndef BBPROF_VISIBLE_H
#define BBPROF_VISIBLE_H

#include <stdio.h>

/* Returns TEXT if all its characters are harmless; else a copy with escapes.  \x1b: a control
   character of ASCII, or a byte that is not UTF-8.  \u202e: a control character, line separator,
   direction mark or zero-width character of Unicode.  The copy is valid until the sixteenth call
   after this one.  Null becomes "". */
const char *visible (const char *text);

/* The same for a line of source text, with or without its end (of either kind); tabs are
   harmless. */
const char *visible_line (const char *text);

/* From now on everything printed on stderr is made visible, also by libraries (getopt, libbfd). A
   newline is kept only at the end of a call. */
void visible_stderr (void);

/* Prints on stderr what PRINT prints, line by line, so that its newlines are kept. */
void visible_print (void (*print) (FILE *out));

#endif
