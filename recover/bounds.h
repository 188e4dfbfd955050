/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a recovered profile that may be wrong by one, because nobody knows where each thread
   was when the process was killed. */
#ifndef BBPROF_BOUNDS_H
#define BBPROF_BOUNDS_H

#include "runtime/dump/dump.h"

/* Makes OPEN, a list of what each thread leaves open, and takes the calls that a thread had not
   come to out of what the next merge makes (bbp.unmade, bbp.stands).  False: no memory, or a
   damaged map. */
bool bounds_find (const struct bbp_open **open);

#endif
