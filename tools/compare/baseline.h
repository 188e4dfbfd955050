/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run set in a file, to compare with when its program and profiles are gone: the counts of
   each function and the samples of each run, as JSON with a version. */
#ifndef BBPROF_BASELINE_H
#define BBPROF_BASELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/compare/run_set.h"

/* True if the file NAME begins like a baseline. */
bool baseline_is (const char *name);

/* Call run_set_free in both cases. */
bool baseline_read (struct run_set *, const char *name, struct error *);

void baseline_print (FILE *, const struct run_set *);

#endif
