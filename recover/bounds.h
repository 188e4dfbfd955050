/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a recovered profile that may be wrong by one, because the positions of threads when
   the process was killed are not known. */
#ifndef BBPROF_BOUNDS_H
#define BBPROF_BOUNDS_H

#include "runtime/dump/dump.h"

/* Makes OPEN, a list of open counts for each thread.  Calls that a thread had not yet made are
   subtracted in the next merge (bbp.calls_not_made, bbp.killed_positions).  False: out of memory,
   or a damaged map. */
bool bounds_find (const struct bbp_open **open);

#endif
