/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the text of source files. */
#ifndef BBPROF_SOURCE_TEXT_H
#define BBPROF_SOURCE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Opens the source NAME, as the compiler recorded it.  If it is missing, searches DIRS: for the
   whole name if it is relative, then for the part behind the last slash.  Null, with errno: not
   found. */
FILE *source_text_open (const char *name, char *const *dirs, size_t ndirs);

#endif
