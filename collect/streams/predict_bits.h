/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bits of a trace, one per branch, foretold as a processor foretells branches: by what came
   after the same last bits.  What is written is how often that was right in a row; so loops
   become a few bytes.  How sure a forecast is is known to both sides, and each degree has a list
   of its own, because sure ones are wrong much less often. */
#ifndef BBPROF_PREDICT_BITS_H
#define BBPROF_PREDICT_BITS_H

#include "collect/streams/run_lengths.h"

enum {
  BITS_HISTORY = 20, /* bits that a forecast depends on */
  BITS_TABLE = 18,   /* so many bits of a hash of them */
  BITS_DEGREES = 5,
};

struct bits_model {
  uint64_t history;
  struct run runs[BITS_DEGREES];
  unsigned char states[1 << BITS_TABLE];
};

void bits_begin (struct bits_model *);

/* N bits, oldest in the highest bit of the first word.  Each of LISTS needs room for N + 1
   bytes. */
void bits_write (struct bits_model *, const uint64_t *words, size_t n, struct bytes *lists);

/* Behind the last of them; room for a byte in each list. */
void bits_end (struct bits_model *, struct bytes *lists);

/* The same back, in the same portions.  False: damaged. */
bool bits_read (struct bits_model *, uint64_t *words, size_t n, struct reading *lists);

#endif
