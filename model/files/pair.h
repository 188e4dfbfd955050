/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile and its sidecar while they are written: both appear, or neither. */
#ifndef BBPROF_PAIR_H
#define BBPROF_PAIR_H

#include <stdbool.h>

#include "common/error.h"
#include "common/output.h"

struct pair {
  const char *name; /* borrowed */
  bool has_sidecar;
  struct output profile, sidecar;
};

/* For the profile NAME, which has to live as long as errors.  pair_close is right in both cases. */
bool pair_open (struct pair *, const char *name, bool has_sidecar, struct error *);

/* All has been written: they are there, in the place of older ones.  A profile without a sidecar
   has none beside it. */
bool pair_publish (struct pair *, struct error *);

void pair_close (struct pair *);

#endif
