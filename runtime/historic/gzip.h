/* SPDX-License-Identifier: MIT */
/* Packs words of 64 bits into a gzip file (gzip.c).  The struct is too large for a stack. */
#ifndef BBH_GZIP_H
#define BBH_GZIP_H

#include "include/bbprof-historic.h"

#pragma GCC visibility push(hidden)

#define BBH_GZIP_WORDS 8192 /* in a block: the output depends on it */
#define BBH_GZIP_SLOT_BITS 12

struct bbh_gzip {
  struct bbh_receiver to;
  uint32_t crc;
  uint64_t nwords; /* packed */
  uint64_t bits;   /* bits not written yet, the lowest first */
  unsigned nbits;
  size_t n;                               /* number of waiting words */
  size_t used;                            /* bytes used in OUT */
  uint16_t last[1 << BBH_GZIP_SLOT_BITS]; /* index of a word's last occurrence, by its hash */
  uint64_t words[BBH_GZIP_WORDS];
  unsigned char out[1024];
};

void bbh_gzip_begin (struct bbh_gzip *, struct bbh_receiver);
void bbh_gzip_pack (struct bbh_gzip *); /* all waiting words; BBH_GZIP_WORDS, except at the end */
void bbh_gzip_end (struct bbh_gzip *);

static inline void
bbh_gzip_word (struct bbh_gzip *z, uint64_t word)
{
  z->words[z->n++] = word;
  if (z->n == BBH_GZIP_WORDS)
    bbh_gzip_pack (z);
}

#pragma GCC visibility pop

#endif
