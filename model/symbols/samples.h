/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares the samples of the histograms out among stretches of code. */
#ifndef BBPROF_SAMPLES_H
#define BBPROF_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "model/files/profile.h"
#include "model/symbols/symtab.h"

/* COUNT stretches by ascending address: stretch i goes from unit START (i) to START (i + 1), in
   units of two bytes.  The caller gives START for 0 ... COUNT. */
struct stretches {
  size_t count;
  uint64_t (*start) (const void *of, size_t i);
  const void *of;
};

/* Adds to SAMPLES[i] what falls into stretch i: of a bin that lies in several of them, each gets
   its part.  TAKES says whether stretch i takes its part (null: all do).  Returns all samples
   but those that were not taken; samples outside all stretches are in it. */
double samples_assign (const struct profile *, const struct stretches *,
                       bool (*takes) (const void *of, size_t i), double *samples);

/* The same for the symbols of the table, each up to the next. */
double samples_assign_to_symbols (const struct profile *, const struct symtab *, double *samples);

#endif
