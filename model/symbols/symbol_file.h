/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols from a text that the user gives (-S), as nm and `bbprof symbols' write it: address,
   type, name. */
#ifndef BBPROF_SYMBOL_FILE_H
#define BBPROF_SYMBOL_FILE_H

#include <stdbool.h>

#include "common/error.h"
#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* Adds the functions of the file PATH.  False if it cannot be read, or memory is short. */
bool symbol_file_add (struct symtab *, const struct objects *, const char *path, struct error *);

#endif
