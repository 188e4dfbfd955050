/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prof.out, the file format of old preloaded profilers: machine words only, each the address of
   one sample, in order of time. */
#ifndef BBPROF_PROF_OUT_H
#define BBPROF_PROF_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

/* The first bytes of the long form, which is text. */
#define PROF_OUT_LONG "# seconds"

/* The number of samples at one address. */
struct prof_out_count {
  uint64_t address, count;
};
struct prof_out {
  struct prof_out_count *counts; /* after prof_out_read: sorted by address, without duplicates */
  size_t n, room;
};

/* Reads the file NAME with words of 4 or 8 BYTES. Call prof_out_free in both cases. */
bool prof_out_read (struct prof_out *, const char *name, unsigned bytes, bool big_endian,
                    struct error *);
/* False: no memory. */
bool prof_out_add (struct prof_out *, uint64_t address, uint64_t count);
void prof_out_free (struct prof_out *);

/* Writes a word of this machine to OUT; 0 if the address does not fit.  Check with ferror. */
void prof_out_put (FILE *out, uint64_t address, unsigned bytes);

#endif
