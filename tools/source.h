/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of source files, as far as they are there. */
#ifndef BBPROF_SOURCE_H
#define BBPROF_SOURCE_H

#include <stddef.h>

struct source_file {
  char *name;
  char *text;   /* of the whole file, lines ended by zeros; null: it cannot be read */
  char **lines;
  size_t nlines;
};

struct source {
  struct source_file *files; /* that were asked for */
  size_t count, room;
};

void source_free (struct source *);

/* Line LINE, from 1, of the file NAME, as the compiler gave it; if there is no such file, of the one of this name in the current
   folder.  Null: it is not known. */
const char *source_line (struct source *, const char *name, unsigned line);

#endif
