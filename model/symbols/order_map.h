/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of -R: the object file of each function, as nm -o prints it. */
#ifndef BBPROF_ORDER_MAP_H
#define BBPROF_ORDER_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct order_map_entry {
  const char *file, *function;
  bool first; /* its line is the first of the file, or the first again after lines of another one */
};

struct order_map {
  struct order_map_entry *entries; /* by function, in the order of the lines */
  size_t count;
  char *text; /* private: contains the names */
};

/* Lines with a file name, a colon, and, behind the last blank, a function's name.  Lines that
   begin with "No symbols in " are skipped.  Call order_map_free in both cases. */
bool order_map_read (struct order_map *, const char *path, struct error *);
void order_map_free (struct order_map *);

/* The entry of FUNCTION, or null.  If there are several, the entry that gprof's search finds
   first. */
const struct order_map_entry *order_map_find (const struct order_map *, const char *function);

#endif
