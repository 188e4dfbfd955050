/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts the tokens of a trace: what followed the same last tokens before follows again.
   Written are the lengths of correct runs, then the number of the token that came instead;
   numbers are given in the order of first appearance.  Depths (the highest 16 bits) are taken as
   differences to the last one, so recursion is the same at each depth. */
#ifndef BBPROF_PREDICT_TOKENS_H
#define BBPROF_PREDICT_TOKENS_H

#include "collect/streams/run_lengths.h"

enum {
  /* Tokens that get a number; further ones are written in full each time. */
  TOKENS_KNOWN = 65535,
  TOKENS_CONTEXTS = 16, /* log2 of the number of contexts, a hash of the last tokens */
};

enum { TOKENS_RUNS, TOKENS_NUMBERS, TOKENS_NEW, TOKENS_LISTS };

struct tokens_model {
  uint64_t history;
  struct run run;
  uint64_t depth;
  uint32_t known;
  uint64_t values[TOKENS_KNOWN + 1]; /* by number; 0: a token without a number */
  /* The number of the token that followed this context; 0: none yet. */
  uint16_t next[1 << TOKENS_CONTEXTS];
  /* When writing: hash table from value to number; 0: free. */
  uint16_t finder[2 * (TOKENS_KNOWN + 1)];
};

void tokens_begin (struct tokens_model *);

/* Each list needs room for N + 1 numbers. */
void tokens_write (struct tokens_model *, const uint64_t *tokens, size_t n, struct bytes *lists);
void tokens_end (struct tokens_model *, struct bytes *lists);

/* Reads the tokens back.  False: damaged. */
bool tokens_read (struct tokens_model *, uint64_t *tokens, size_t n, struct reading *lists);

#endif
