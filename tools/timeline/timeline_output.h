/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that a format is written to. */
#ifndef BBPROF_TIMELINE_OUTPUT_H
#define BBPROF_TIMELINE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "common/output.h"

struct timeline_output {
  FILE *out;
  const char *name; /* of the command line; null: standard output */
  /* A plain file is written through REPLACED, so it is complete or unchanged.  Any other file is
     written directly. */
  bool replaces;
  struct output replaced;
};

/* False: ERR says why; nothing has to be closed. */
bool timeline_output_open (struct timeline_output *, const char *name, struct error *);
/* OK: all was written.  False: a plain file NAME is unchanged; ERR says why, unless OK was
   false. */
bool timeline_output_close (struct timeline_output *, bool ok, struct error *);

#endif
