/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The basic blocks of each symbol with their executions, as GNU gprof keeps them: the first ten
   that the files name; none if the symbols are not lines. */
#ifndef BBPROF_SYMBOL_BLOCKS_H
#define BBPROF_SYMBOL_BLOCKS_H

#include "gprof-compat/report.h"

enum { SYMBOL_BLOCKS_MOST = 10 };

struct symbol_blocks {
  struct execution *all;
  size_t *first; /* blocks of symbol n: [first[n] ... first[n + 1]) */
};

/* Call symbol_blocks_free in both cases. */
bool symbol_blocks_make (struct symbol_blocks *, const struct report *, struct error *);
void symbol_blocks_free (struct symbol_blocks *);

#endif
