/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are there whole, or not at all. */
#ifndef BBPROF_TIMELINE_OUTPUT_H
#define BBPROF_TIMELINE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

struct timeline_output {
  const char *name; /* of the command line; null: standard output */
  char *temporary;  /* null: it is written as it is (no plain file) */
  FILE *out;
};

bool timeline_output_open (struct timeline_output *, const char *name, struct error *);
/* OK: what was to be written has been.  False: the file NAME is what it was before; ERR says why, unless it was not OK before. */
bool timeline_output_close (struct timeline_output *, bool ok, struct error *);

#endif
