/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of one object on their way into the symbol table, as the sources of object_symbols.c
   know them. */
#ifndef BBPROF_FUNCTIONS_H
#define BBPROF_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct function {
  uint64_t start, end; /* link-time addresses, end exclusive; 0: the source does not know the end */
  const char *name;    /* borrowed; null: the source knows the extent only */
  bool is_static;
  bool is_entered; /* the symbol table has it already */
};

struct functions {
  struct function *list;
  size_t count, room;
};

/* False if memory is short. */
bool functions_add (struct functions *, const struct function *);
/* By address; those with names first. */
bool functions_sort (struct functions *);
void functions_free (struct functions *);

/* The first function that begins at ADDRESS or behind it; functions.count: none.  After
   functions_sort. */
size_t functions_from (const struct functions *, uint64_t address);

#endif
