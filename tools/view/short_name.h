/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ for people with a screen. */
#ifndef BBPROF_SHORT_NAME_H
#define BBPROF_SHORT_NAME_H

#include <stddef.h>

/* NAME in at most WIDTH columns (at least 8), in fresh memory; null: no memory.  Of a name that
   is longer, template arguments are folded into <...>, then parameters into (...), then the
   outer scopes into ...::, and if that is not enough its middle is left out.  Blanks in front of
   it stay as far as there is room for them. */
char *short_name (const char *name, size_t width);

/* The same of a row of a tree, which has two blanks in front for each level.  Where these leave
   too little room the name stands behind the level's number, from 1. */
char *short_name_deep (const char *name, size_t width);

enum { SHORT_NAME = 60 }; /* a width for names that others stand beside on a line */

/* Columns that TEXT takes: its characters (UTF-8). */
size_t short_name_columns (const char *text);

#endif
