/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prof.out, the format of old preloaded profilers: nothing but machine words, each the address
   that a sample has found, in order of time. */
#ifndef BBPROF_PROF_OUT_H
#define BBPROF_PROF_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

/* With this the long form begins, which is text. */
#define PROF_OUT_LONG "# seconds"

/* So many samples at one address. */
struct prof_out_count {
  uint64_t address, count;
};
struct prof_out {
  struct prof_out_count *counts; /* after prof_out_read: by address, each once */
  size_t n, room;
};

/* The file NAME, of words of 4 or 8 BYTES.  prof_out_free is right in both cases. */
bool prof_out_read (struct prof_out *, const char *name, unsigned bytes, bool big_endian,
                    struct error *);
/* False: no memory. */
bool prof_out_add (struct prof_out *, uint64_t address, uint64_t count);
void prof_out_free (struct prof_out *);

/* Puts a word of this machine's to OUT; 0 for an address that it has no room for.  See ferror. */
void prof_out_put (FILE *out, uint64_t address, unsigned bytes);

#endif
