/* SPDX-License-Identifier: MIT */
/* The witness reads whether a filter that the library has not seen binds a thread
   (bbprof-witness.h). */
#ifndef BBP_WITNESS_H
#define BBP_WITNESS_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool bbp_witness_start (void); /* cold, lock held; false: not possible */
void bbp_witness_end (void);   /* cold, lock held */
void bbp_witness_leave (void); /* cold, lock held, in a forked child: the witness is the parent's */
/* Any; waits for the answer, a millisecond at most on a machine that is not busy.  True also
   without an answer. */
bool bbp_witness_sees_filter (int tid);

#pragma GCC visibility pop

#endif
