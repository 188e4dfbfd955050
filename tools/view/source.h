/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of source files, as far as they can be found. */
#ifndef BBPROF_SOURCE_H
#define BBPROF_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct source_file {
  char *name;
  char *text; /* of the whole file, with a zero at each line's end; null: it cannot be read */
  char **lines;
  size_t nlines;
};

/* Maps file names that begin with FROM_SIZE bytes of FROM to names that begin with TO. */
struct source_map {
  const char *from, *to;
  size_t from_size;
};

/* Where files are searched, beside their own names.  The texts are borrowed. */
struct source_places {
  const char **folders;
  struct source_map *maps;
  size_t nfolders, room_folders, nmaps, room_maps;
};

/* Each returns false if memory is out. */
bool source_places_add_folder (struct source_places *, const char *folder);
bool source_places_add_map (struct source_places *, struct source_map);
void source_places_free (struct source_places *);

struct source {
  struct source_file *files; /* files that were looked up */
  size_t count, room;
  struct source_places places; /* its lists are borrowed */
};

void source_free (struct source *);

/* Returns line LINE (from 1) of the file NAME, as the compiler recorded it.  The file is
   searched under the first map that fits, under its own name, in each folder (with as many of
   its parent folders as exist there), and in the current folder.  Null: not found. */
const char *source_line (struct source *, const char *name, unsigned line);

/* The first line of the function's head, if its body begins in line LOW: includes the lines
   directly above, up to the end of another item. */
unsigned source_head (struct source *, const char *name, unsigned low);

/* Can the file be read? */
bool source_exists (struct source *, const char *name);

#endif
