/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups profiles by run: one run has the profiles of a process and of the children that it
   forked, directly or not. */
#ifndef BBPROF_RUN_GROUPS_H
#define BBPROF_RUN_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct run_groups {
  /* Profiles of PROGRAM.  The profiles of one run follow each other; the runs are in the user's
     order. */
  char **profiles;
  size_t *first; /* index of each run's first profile, and of the end */
  size_t count;  /* runs */
};

/* Skips sidecars among the N PROFILES, unless there is nothing else.  A profile without a
   sidecar is a run by itself. Call run_groups_free in both cases. */
bool run_groups_find (struct run_groups *, const char *program, char **profiles, size_t n,
                      struct error *);
void run_groups_free (struct run_groups *);

#endif
