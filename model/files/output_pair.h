/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile and its sidecar while they are written: both appear, or neither. */
#ifndef BBPROF_OUTPUT_PAIR_H
#define BBPROF_OUTPUT_PAIR_H

#include <stdbool.h>

#include "common/error.h"
#include "common/output.h"

struct output_pair {
  const char *name; /* borrowed */
  bool has_sidecar;
  struct output profile, sidecar;
};

/* For the profile NAME, which has to live as long as errors.  output_pair_close is right in both
   cases. */
bool output_pair_open (struct output_pair *, const char *name, bool has_sidecar, struct error *);

/* All has been written: they are there, in the place of older ones.  A profile without a sidecar
   has none beside it. */
bool output_pair_publish (struct output_pair *, struct error *);

void output_pair_close (struct output_pair *);

#endif
