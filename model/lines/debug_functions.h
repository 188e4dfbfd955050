/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of one compilation unit that have code, and those inlined into them. */
#ifndef BBPROF_DEBUG_FUNCTIONS_H
#define BBPROF_DEBUG_FUNCTIONS_H

#include <elfutils/libdw.h>

#include "common/cover.h"

#define NO_FUNCTION COVER_NONE

struct debug_function {
  const char *name;              /* mangled if known; null: none */
  uint64_t low;                  /* of its first range */
  uint64_t entry;                /* its entry address */
  uint32_t parent;               /* the enclosing function, or NO_FUNCTION */
  uint32_t call_file, call_line; /* of an inlined one: the call site */
  bool is_inlined;
  bool is_linker_name; /* NAME is the linker's name */
};

struct debug_functions {
  struct debug_function *list; /* in the order of the debug information */
  size_t count, room;
  struct cover cover; /* owners: of the list */
};

/* False: out of memory. */
bool debug_functions_read (struct debug_functions *, Dwarf_Die *unit);
void debug_functions_free (struct debug_functions *);

#endif
