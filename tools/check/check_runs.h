/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of an instrumented program that `bbprof check --runs' starts, and their profiles. */
#ifndef BBPROF_CHECK_RUNS_H
#define BBPROF_CHECK_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct check_runs {
  char *folder; /* a temporary folder with all files */
  char **words; /* operands for run_set_read: the program, then the profiles */
  int nwords;
  size_t room; /* private */
};

/* Runs COMMAND (terminated by null) N times, one after the other, with standard output
   discarded.  Error: a run ends with another status than 0, or leaves no profile.
   Call check_runs_remove in both cases. */
bool check_runs_make (struct check_runs *, char **command, size_t n, struct error *);
/* Removes the files.  Keeps their names, which errors may refer to. */
void check_runs_remove (struct check_runs *);

#endif
