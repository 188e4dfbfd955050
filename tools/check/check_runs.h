/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of an instrumented program that `bbprof check' makes itself, and their profiles. */
#ifndef BBPROF_CHECK_RUNS_H
#define BBPROF_CHECK_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct check_runs {
  char *folder; /* a temporary one, that holds all */
  char **words; /* for run_set_read: the program, then the profiles */
  int nwords;
  size_t room; /* private */
};

/* Runs COMMAND, which ends with a null, N times, one after the other, without its standard
   output.  It is an error if a run does not end with status 0, or leaves no profile.
   check_runs_remove is right in both cases. */
bool check_runs_make (struct check_runs *, char **command, size_t n, struct error *);
/* The files; not their names, which errors may have. */
void check_runs_remove (struct check_runs *);

#endif
