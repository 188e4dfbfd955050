/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of others (names of threads, programs, symbols and files, marks, arguments) on its way to
   a terminal.  All text output takes it from here, so that nothing in a name can move the
   cursor, colour, rename a window, begin a line or turn the direction of writing. */
#ifndef BBPROF_VISIBLE_H
#define BBPROF_VISIBLE_H

/* TEXT, if all its characters are harmless; else a copy in which each other one stands as an
   escape: \x1b for a control character of ASCII or a byte that is not UTF-8, \u202e for a
   control character, a line separator, a mark of direction or one without width of Unicode.
   Lives until the sixteenth call after this one.  Null as "". */
const char *visible (const char *text);

/* The same for a line of source text, with its end (of either kind) or without: tabs are
   harmless, too. */
const char *visible_line (const char *text);

/* From now on all that is printed on stderr is made visible, but for an end of line at the end
   of a call: also what libraries print (getopt, libbfd). */
void visible_stderr (void);

#endif
