/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of an object's table of symbols: which of them count, and by which name. */
#ifndef BBPROF_IMAGE_SYMBOLS_H
#define BBPROF_IMAGE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/elf/image.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* False if memory is short. */
bool image_symbols_add (struct symtab *, const struct image *, const struct object *,
                        const struct symtab_choice *);

/* The names of a program as they lie in its string table, one behind the other. */
struct names {
  const char **names; /* by address */
  size_t count;
};

/* Is NAME, of a static symbol, one of those that gprof takes for a function?  Not, if it is
   empty, contains a $, or a part behind a dot that is no number and not clone.NUMBER or
   constprop.NUMBER.  And gprof does not stop at the end of a name with such parts: the name that
   follows it in the string table must be good, too.  (Here for the tests.) */
bool image_symbols_static_name_counts (const struct names *, const char *name);

#endif
