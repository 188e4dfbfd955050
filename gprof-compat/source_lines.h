/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of source files that symbols lie on, and how often these were called. */
#ifndef BBPROF_SOURCE_LINES_H
#define BBPROF_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gprof-compat/report.h"

struct source_line {
  unsigned number;
  uint32_t symbol; /* the first of those that begin on it */
  uint64_t calls;  /* of all of these */
  bool several;    /* there are more than the first */
};

struct source_lines {
  struct source_line *all;
  size_t *first; /* those of the symtab's source n, by number: [first[n] ... first[n + 1]) */
};

/* Of the symbols that are wanted in the annotated source.  source_lines_free is right in both
   cases. */
bool source_lines_make (struct source_lines *, const struct report *, struct error *);
void source_lines_free (struct source_lines *);

#endif
