/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of an object's symbol table: which symbols count, and by which name. */
#ifndef BBPROF_IMAGE_SYMBOLS_H
#define BBPROF_IMAGE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/elf/image.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* False: out of memory. */
bool image_symbols_add (struct symtab *, const struct image *, const struct object *,
                        const struct symtab_choice *);

/* The names of a program in the order of its string table. */
struct names {
  const char **names; /* by address */
  size_t count;
};

/* Does gprof take the static symbol NAME for a function?  Not if it is empty, contains a $, or
   has a part behind a dot that is neither a number nor clone.NUMBER nor constprop.NUMBER.  gprof
   does not stop at the end of a name with such parts: the next name in the string table must be
   good, too.  (Public for the tests.) */
bool image_symbols_static_name_counts (const struct names *, const char *name);

#endif
