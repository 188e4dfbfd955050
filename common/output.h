/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that appears whole or not at all: written under a temporary name beside its place, then
   renamed. */
#ifndef BBPROF_OUTPUT_H
#define BBPROF_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"

struct output {
  FILE *file;        /* write here; errors are kept until output_finish */
  const char *blame; /* borrowed: whom errors name */
  char *name, *temporary;
};

/* For the file NAME with SUFFIX; NAME has to live as long as errors.  output_close is right in
   both cases. */
bool output_open (struct output *, const char *name, const char *suffix, struct error *);

/* N zeros, as a hole of the file if they are many. */
void output_zeros (struct output *, uint64_t n);

/* All has been written: false if some of it could not be. */
bool output_finish (struct output *, struct error *);

/* After output_finish: it is there, in the place of an older one. */
bool output_publish (struct output *, struct error *);

/* What has not been published is gone. */
void output_close (struct output *);

#endif
