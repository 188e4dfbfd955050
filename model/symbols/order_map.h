/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of -R: which object file each function is from, as nm -o prints it. */
#ifndef BBPROF_ORDER_MAP_H
#define BBPROF_ORDER_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct order_map_entry {
  const char *file, *function;
  bool first; /* its line is the first of the file, or the first again after those of another one */
};

struct order_map {
  struct order_map_entry *entries; /* by function, in the order of the lines */
  size_t count;
  char *text; /* private: that holds the names */
};

/* Lines of a file's name, a colon, and a function's name behind the last blank; those that begin
   with "No symbols in " are passed over.  order_map_free is right in both cases. */
bool order_map_read (struct order_map *, const char *path, struct error *);
void order_map_free (struct order_map *);

/* The entry of FUNCTION, or null.  Of several it is the one that gprof's search meets first. */
const struct order_map_entry *order_map_find (const struct order_map *, const char *function);

#endif
