/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which profiles are of one run: those of a process, of the children that it forked while it
   ran, and of theirs. */
#ifndef BBPROF_RUN_GROUPS_H
#define BBPROF_RUN_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct run_groups {
  /* Of PROGRAM, those of one run one behind the other; the first ones of runs in the user's
     order. */
  char **profiles;
  size_t *first; /* of each run, and behind the last one */
  size_t count;  /* runs */
};

/* Sidecars among the N PROFILES are passed over, unless there is nothing else.  A profile
   without a sidecar is a run.  run_groups_free is right in both cases. */
bool run_groups_find (struct run_groups *, const char *program, char **profiles, size_t n,
                      struct error *);
void run_groups_free (struct run_groups *);

#endif
