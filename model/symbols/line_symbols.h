/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a symbol for each stretch of one line of one function, as gprof -l does. */
#ifndef BBPROF_LINE_SYMBOLS_H
#define BBPROF_LINE_SYMBOLS_H

#include <stdbool.h>

#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* Adds the line symbols of the section .text of each object to the table.  Its functions must be in
   order; afterwards they are not.  False: out of memory. */
bool line_symbols_add (struct symtab *, const struct objects *);

#endif
