/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile and its sidecar: both appear, or neither. */
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

/* For the profile NAME, which must stay valid as long as errors.  Call output_pair_close in both
   cases. */
bool output_pair_open (struct output_pair *, const char *name, bool has_sidecar, struct error *);

/* Call after the last write: renames both, replacing older ones.  If the profile has no sidecar,
   an older one is removed. */
bool output_pair_publish (struct output_pair *, struct error *);

void output_pair_close (struct output_pair *);

#endif
