/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortens C++ names for display. */
#ifndef BBPROF_SHORT_NAME_H
#define BBPROF_SHORT_NAME_H

#include <stddef.h>

/* Returns NAME in at most WIDTH columns (at least 8), allocated; null: no memory.  A longer name
   gets <...> for template arguments, then (...) for parameters, then ...:: for outer scopes; at
   last its middle is left out.  Its indentation stays as far as there is room. */
char *short_name (const char *name, size_t width);

/* The same for a row of a tree, indented by two blanks for each level.  If the indentation
   leaves too little room, the level's number (from 1) stands before the name. */
char *short_name_deep (const char *name, size_t width);

enum { SHORT_NAME = 60 }; /* default width of a name in a line with other names */

/* Width of TEXT in columns: its UTF-8 characters. */
size_t short_name_columns (const char *text);

#endif
