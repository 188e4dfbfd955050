/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the text of a source file is. */
#ifndef BBPROF_SOURCE_TEXT_H
#define BBPROF_SOURCE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Opens the source NAME, as the compiler gave it; if it is not there, looks for it in DIRS: a
   relative name as it is, then, as for absolute ones, the part behind the last slash.  Null with
   errno if it is nowhere. */
FILE *source_text_open (const char *name, char *const *dirs, size_t ndirs);

#endif
