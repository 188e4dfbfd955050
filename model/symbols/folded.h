/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that GNU gprof folds into the symbol before them in memory: copies and parts that
   the compiler makes of functions (.isra.N, .part.N, .cold), and what else its rules leave out.
   Those that ran are functions of their own here; the others stay folded, so that they change
   nothing in a report. */
#ifndef BBPROF_FOLDED_H
#define BBPROF_FOLDED_H

#include <stdbool.h>

#include "model/files/profile.h"
#include "model/symbols/symtab.h"

/* Keeps, of the folded symbols in the table, those in which the profile has samples, calls from
   or to them, or block counts, and moves them behind the others, which keep their order.  The
   table is not sorted yet.  False if memory is short. */
bool folded_choose (struct symtab *, const struct profile *);

#endif
