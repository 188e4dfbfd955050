/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source files that a table of symbols names, each once. */
#ifndef BBPROF_SYMBOL_SOURCES_H
#define BBPROF_SYMBOL_SOURCES_H

#include <stdbool.h>

#include "model/symbols/srcline.h"
#include "model/symbols/symtab.h"

/* Says where the code of the symbol, which need not be in the table yet, comes from.  False if
   memory is short. */
bool symbol_sources_set (struct symtab *, struct symbol *, const struct srcline *);

/* The same by the symbol's address, for all symbols, in their order. */
bool symbol_sources_find (struct symtab *);

/* Only these names. */
void symbol_sources_free (struct symtab *);

#endif
