/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that GNU gprof folds into the symbol before them in memory: the compiler's copies and
   parts of functions (.isra.N, .part.N, .cold), and others that its rules exclude.  Those that
   ran are functions of their own here.  The others stay folded, so they change nothing in a
   report. */
#ifndef BBPROF_FOLDED_H
#define BBPROF_FOLDED_H

#include <stdbool.h>

#include "model/files/profile.h"
#include "model/symbols/symtab.h"

/* Keeps the folded symbols for which the profile has samples, calls from or to them, or block
   counts, and moves them behind the others, which keep their order.  The table is not sorted yet.
   False: out of memory. */
bool folded_choose (struct symtab *, const struct profile *);

#endif
