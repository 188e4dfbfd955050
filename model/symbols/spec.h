/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols, and arcs between symbols, that an option selects (gprof's "symspecs"). */
#ifndef BBPROF_SPEC_H
#define BBPROF_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Each INCL is followed by its EXCL. */
enum spec_table {
  INCL_GRAPH,
  EXCL_GRAPH,
  INCL_ARCS,
  EXCL_ARCS,
  INCL_FLAT,
  EXCL_FLAT,
  INCL_TIME,
  EXCL_TIME,
  INCL_ANNO,
  EXCL_ANNO,
  INCL_EXEC,
  EXCL_EXEC,
  SPEC_TABLES
};

struct spec_word {
  enum spec_table table;
  const char *word; /* [file:](function|line), or two of them around a slash */
};

struct symtab;
struct specs;

/* After symtab_load.  The profiler's own hooks (mcount and others) are always excluded from the
   graph, the flat profile and the propagation.  Null: out of memory. */
struct specs *specs_resolve (const struct spec_word *, size_t n, const struct symtab *,
                             struct error *);
void specs_free (struct specs *);

/* Symbols are indexes into the symtab. */
bool specs_empty (const struct specs *, enum spec_table);
bool specs_has (const struct specs *, enum spec_table, uint32_t symbol);
bool specs_has_arc (const struct specs *, enum spec_table, uint32_t parent, uint32_t child);

/* INCL overrides its EXCL; an empty INCL means everything. */
static inline bool
specs_want (const struct specs *s, enum spec_table incl, uint32_t symbol)
{
  return specs_empty (s, incl) ? !specs_has (s, (enum spec_table) (incl + 1), symbol)
                               : specs_has (s, incl, symbol);
}

#endif
