/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source files that a symbol table names, each once. */
#ifndef BBPROF_SYMBOL_SOURCES_H
#define BBPROF_SYMBOL_SOURCES_H

#include <stdbool.h>

#include "model/symbols/srcline.h"
#include "model/symbols/symtab.h"

/* Sets the source of the symbol, which need not be in the table yet.  False: out of memory. */
bool symbol_sources_set (struct symtab *, struct symbol *, const struct srcline *);

/* The same by the symbols' addresses, for all symbols, in their order. */
bool symbol_sources_find (struct symtab *);

/* Only these names. */
void symbol_sources_free (struct symtab *);

#endif
