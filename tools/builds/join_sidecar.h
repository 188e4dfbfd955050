/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of this room: a profile while it is moved to another build. */
#ifndef BBPROF_JOIN_SIDECAR_H
#define BBPROF_JOIN_SIDECAR_H

#include "tools/builds/join.h"

struct joining {
  struct join *join;
  struct merge_one *one;     /* as it was read */
  struct profile new;        /* what it becomes */
  const struct profile *sum; /* the counts before */
  uint64_t start, end;       /* the addresses of the program's file */
  uint64_t alone;            /* what only this build has is so much higher */
  bool has_alone;
  uint64_t left_out; /* executions */
  struct error *err;
};

/* Where ADDRESS, a place of code or with IS_RETURN a return address, is now.  False: an error. */
bool joining_find (struct joining *, uint64_t address, bool is_return, struct join_place *);

/* Moves the sidecar; of EXECUTABLE from then on.  False: an error. */
bool joining_sidecar (struct joining *, const struct bbx_run_object *executable);

#endif
