/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts the bits of a trace, one per branch, as a processor's branch predictor does: from what
   followed the same last bits before.  Only the lengths of correct runs are written, so loops
   become a few bytes.  Writer and reader know the certainty of each prediction; each degree of
   certainty has a list of its own, because certain predictions fail much less often. */
#ifndef BBPROF_PREDICT_BITS_H
#define BBPROF_PREDICT_BITS_H

#include "collect/streams/run_lengths.h"

enum {
  BITS_HISTORY = 20, /* bits that a prediction depends on */
  BITS_TABLE = 18,   /* log2 of the number of contexts, a hash of these bits */
  BITS_DEGREES = 5,
};

struct bits_model {
  uint64_t history;
  struct run runs[BITS_DEGREES];
  unsigned char states[1 << BITS_TABLE];
};

void bits_begin (struct bits_model *);

/* Writes N bits, the oldest in the highest bit of the first word.  Each of LISTS needs room for N
   + 1 bytes. */
void bits_write (struct bits_model *, const uint64_t *words, size_t n, struct bytes *lists);

/* Ends the lists.  Needs room for a byte in each. */
void bits_end (struct bits_model *, struct bytes *lists);

/* Reads the bits back, in the portions that were written.  False: damaged. */
bool bits_read (struct bits_model *, uint64_t *words, size_t n, struct reading *lists);

#endif
