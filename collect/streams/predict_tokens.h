/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tokens of a trace, foretold: what came after the same last tokens comes again.  What is
   written is how often that was right in a row, then the number of the token that came instead,
   in the order of first appearance.  Depths (the highest 16 bits) are taken as differences to
   the last one, so that recursion looks the same at each depth. */
#ifndef BBPROF_PREDICT_TOKENS_H
#define BBPROF_PREDICT_TOKENS_H

#include "collect/streams/run_lengths.h"

enum {
  /* Different ones that get a number; later ones are written in full each time. */
  TOKENS_KNOWN = 65535,
  TOKENS_CONTEXTS = 16, /* so many bits of a hash of the last ones */
};

enum { TOKENS_RUNS, TOKENS_NUMBERS, TOKENS_NEW, TOKENS_LISTS };

struct tokens_model {
  uint64_t history;
  struct run run;
  uint64_t depth;
  uint32_t known;
  uint64_t values[TOKENS_KNOWN + 1]; /* by number; number 0 is that of all unknown ones */
  /* Number of what came after this context; 0: nothing yet. */
  uint16_t next[1 << TOKENS_CONTEXTS];
  /* When writing: from value to number, by a hash; 0: free. */
  uint16_t finder[2 * (TOKENS_KNOWN + 1)];
};

void tokens_begin (struct tokens_model *);

/* The lists need room for N + 1 times BYTES_NUMBER_MOST bytes each. */
void tokens_write (struct tokens_model *, const uint64_t *tokens, size_t n, struct bytes *lists);
void tokens_end (struct tokens_model *, struct bytes *lists);

/* The same back.  False: damaged. */
bool tokens_read (struct tokens_model *, uint64_t *tokens, size_t n, struct reading *lists);

#endif
