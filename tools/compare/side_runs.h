/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which profiles are of one run: those of a process, of the children that it forked while it
   ran, and of theirs. */
#ifndef BBPROF_SIDE_RUNS_H
#define BBPROF_SIDE_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct side_runs {
  /* Of PROGRAM, those of one run one behind the other; the first ones of runs in the user's
     order. */
  char **profiles;
  size_t *first; /* of each run, and behind the last one */
  size_t count;  /* runs */
};

/* Sidecars among the N PROFILES are passed over, unless there is nothing else.  A profile
   without a sidecar is a run.  side_runs_free is right in both cases. */
bool side_runs_find (struct side_runs *, const char *program, char **profiles, size_t n,
                     struct error *);
void side_runs_free (struct side_runs *);

#endif
