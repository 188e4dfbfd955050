/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names by which a function of one build is found in another one. */
#ifndef BBPROF_FUNCTION_NAMES_H
#define BBPROF_FUNCTION_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/symbols/symtab.h"

/* Length of NAME without GCC's suffixes (.constprop.0, .cold).  *PART: it is a part of a function,
   which is not called by itself. */
size_t function_plain_length (const char *name, bool *part);

/* The source file of a static function, without folders, which belongs to its name; "": not static,
   or unknown.  Borrowed from its object. */
const char *function_file (const struct symbol *);

#endif
