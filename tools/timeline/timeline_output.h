/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a form of the timeline goes. */
#ifndef BBPROF_TIMELINE_OUTPUT_H
#define BBPROF_TIMELINE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "common/output.h"

struct timeline_output {
  FILE *out;
  const char *name; /* of the command line; null: standard output */
  /* It is REPLACED: there whole or not at all; else it is written as it is (no plain file). */
  bool replaces;
  struct output replaced;
};

/* False: ERR says why; there is nothing to close. */
bool timeline_output_open (struct timeline_output *, const char *name, struct error *);
/* OK: what was to be written has been.  False: a plain file NAME is what it was before; ERR says
   why, unless it was not OK before. */
bool timeline_output_close (struct timeline_output *, bool ok, struct error *);

#endif
