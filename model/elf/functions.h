/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of the functions of one object, which object_symbols.c fills from several sources for
   the symbol table. */
#ifndef BBPROF_FUNCTIONS_H
#define BBPROF_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct function {
  uint64_t start, end; /* link-time addresses, end exclusive; 0: unknown end */
  const char *name;    /* borrowed; null: only the extent is known */
  bool is_static;
  bool is_entered; /* the symbol table has it already */
};

struct functions {
  struct function *list;
  size_t count, room;
};

/* False: out of memory. */
bool functions_add (struct functions *, const struct function *);
/* By address; those with names first. */
bool functions_sort (struct functions *);
void functions_free (struct functions *);

/* After functions_sort: the first function that begins at ADDRESS or behind it; functions.count:
   none. */
size_t functions_from (const struct functions *, uint64_t address);

#endif
