/* SPDX-License-Identifier: MIT */
/* Who is asked whether a filter that was not seen binds a thread (bbprof-witness.h). */
#ifndef BBP_WITNESS_H
#define BBP_WITNESS_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool bbp_witness_start (void); /* cold, lock held; false: there can be none */
void bbp_witness_end (void);   /* the same */
void bbp_witness_leave (void); /* the same, in a forked child: it is the parent's */
/* Any; waits for the answer, a millisecond at most where the machine is not busy.  True also if
   none comes. */
bool bbp_witness_sees_filter (int tid);

#pragma GCC visibility pop

#endif
