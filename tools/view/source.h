/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of source files, as far as they are there. */
#ifndef BBPROF_SOURCE_H
#define BBPROF_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct source_file {
  char *name;
  char *text; /* of the whole file, lines ended by zeros; null: it cannot be read */
  char **lines;
  size_t nlines;
};

/* Files whose name begins with FROM lie where it begins with TO. */
struct source_map {
  const char *from, *to;
};

struct source {
  struct source_file *files; /* that were asked for */
  size_t count, room;
  /* The caller's, or nothing. */
  const struct source_map *maps;
  size_t nmaps;
  const char *const *folders;
  size_t nfolders;
};

void source_free (struct source *);

/* Line LINE, from 1, of the file NAME, as the compiler gave it.  It is looked for where the
   first map that fits says; under its name; in each of the folders, with as much of its own
   folders as there is; and in the current folder.  Null: it is not known. */
const char *source_line (struct source *, const char *name, unsigned line);

/* Can the file be read? */
bool source_exists (struct source *, const char *name);

#endif
