/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of symbols, and how often these were called. */
#ifndef BBPROF_SOURCE_LINES_H
#define BBPROF_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gprof-compat/report.h"

struct source_line {
  unsigned number;
  uint32_t symbol; /* the first symbol that begins on the line */
  uint64_t calls;  /* of all symbols of the line */
  bool several;    /* more than one symbol begins here */
};

struct source_lines {
  struct source_line *all;
  size_t *first; /* lines of the symtab's source n: [first[n] ... first[n + 1]) */
};

/* Uses the symbols selected for the annotated source.  Call source_lines_free in both cases. */
bool source_lines_make (struct source_lines *, const struct report *, struct error *);
void source_lines_free (struct source_lines *);

#endif
