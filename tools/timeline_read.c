/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "timeline.h"

bool
timeline_open (struct timeline *t, const char *profile, const char *program, const char *argv0, struct error *err)
{
  (void) argv0;
  *t = (struct timeline) { .program = program };
  return error_set (err, profile, ERROR_NO_OFFSET, "no record of switches");
}
