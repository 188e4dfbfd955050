/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the symbol table from all objects, or from a text of the user's. */
#ifndef BBPROF_SYMTAB_LOAD_H
#define BBPROF_SYMTAB_LOAD_H

#include <stdbool.h>

#include "common/error.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* After objects_finish. */
bool symtab_load (struct symtab *, const struct objects *, const struct symtab_choice *,
                  struct error *);

#endif
