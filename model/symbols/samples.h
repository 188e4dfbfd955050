/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributes the samples of the histograms to stretches of code. */
#ifndef BBPROF_SAMPLES_H
#define BBPROF_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "model/files/profile.h"
#include "model/symbols/symtab.h"

/* COUNT stretches by ascending address.  Stretch i extends from START (i) to START (i + 1), in
   units of two bytes.  The caller provides START for 0 ... COUNT. */
struct stretches {
  size_t count;
  uint64_t (*start) (const void *of, size_t i);
  const void *of;
};

/* Adds to SAMPLES[i] the samples in stretch i; a bin that overlaps several stretches is divided.
   TAKES: does stretch i take its part (null: all do)?  Returns all samples except those not
   taken, also those outside all stretches. */
double samples_assign (const struct profile *, const struct stretches *,
                       bool (*takes) (const void *of, size_t i), double *samples);

/* The same for the symbols of the table, each up to the next. */
double samples_assign_to_symbols (const struct profile *, const struct symtab *, double *samples);

#endif
