/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs generated code into the content of a chunk (struct bbs_codes), and unpacks it. */
#ifndef BBPROF_CODES_PACK_H
#define BBPROF_CODES_PACK_H

#include "collect/generated/code.h"
#include "collect/streams/pack.h"

enum { CODES_NUMBERS, CODES_TEXTS, CODES_LISTS };

/* Code that is gathered for a chunk.  All zero: none yet. */
struct codes {
  struct bytes lists[CODES_LISTS];
  uint32_t n;
  uint64_t start, time; /* of the last one */
};

/* Adds CODE, whose time becomes one since STARTED.  False: out of memory, and nothing changed. */
bool codes_add (struct codes *, const struct generated_code *code, uint64_t started);
bool codes_are_full (const struct codes *);

/* Puts what was gathered into TO, which is empty; then there is none.  False: out of memory. */
bool codes_pack (struct codes *, struct packer *, struct bytes *to);
void codes_free (struct codes *);

/* The code in the content of a chunk, one by one. */
struct codes_reading {
  struct bytes unpacked;
  struct reading lists[CODES_LISTS];
  uint32_t left;
  uint64_t start, time; /* of the last one */
  struct generated_line *lines;
  size_t room;
};

/* False: damaged, or out of memory.  Call codes_close in both cases. */
bool codes_open (struct codes_reading *, const unsigned char *content, size_t n);
/* The next one, valid until the next call; its time counts from the start of the run.  False: none
   is left; *GOOD is false if that is because of damage, or out of memory. */
bool codes_next (struct codes_reading *, struct generated_code *, bool *good);
void codes_close (struct codes_reading *);

#endif
