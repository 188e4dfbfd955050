/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atomic output: a file is written under a temporary name in its folder, then renamed. */
#ifndef BBPROF_OUTPUT_H
#define BBPROF_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"

struct output {
  FILE *file;        /* write here; errors are kept until output_finish */
  const char *blame; /* borrowed: file named in errors */
  char *name, *temporary;
};

/* Opens the file NAME with SUFFIX.  NAME must stay valid as long as errors.  Call output_close in
   both cases. */
bool output_open (struct output *, const char *name, const char *suffix, struct error *);

/* Writes N zeros, as a hole of the file if they are many. */
void output_zeros (struct output *, uint64_t n);

/* Call after the last write.  False: some of it could not be written. */
bool output_finish (struct output *, struct error *);

/* After output_finish: renames the file to its name, replacing an older one. */
bool output_publish (struct output *, struct error *);

/* Removes what was not published. */
void output_close (struct output *);

#endif
