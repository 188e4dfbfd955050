/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads symbols from a text of the user's (-S), as nm and `bbprof symbols' write it: address,
   type, name. */
#ifndef BBPROF_SYMBOL_FILE_H
#define BBPROF_SYMBOL_FILE_H

#include <stdbool.h>

#include "common/error.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* Adds the functions of the file PATH.  False: it cannot be read, or out of memory. */
bool symbol_file_add (struct symtab *, const struct objects *, const char *path, struct error *);

#endif
