/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A symbol for each stretch of one line of one function, as gprof -l has them. */
#ifndef BBPROF_LINE_SYMBOLS_H
#define BBPROF_LINE_SYMBOLS_H

#include <stdbool.h>

#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* Adds those of the section .text of each object to the table, which has the functions in order,
   and loses that order.  False if memory is short. */
bool line_symbols_add (struct symtab *, const struct objects *);

#endif
