/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges profiles by addresses, without their program.  The result has all data of the profiles.
   The result is the same byte by byte for any order of the profiles, and for sums of sums.  Memory
   depends on what differs in the profiles, not on their number. */
#ifndef BBPROF_MERGE_H
#define BBPROF_MERGE_H

#include <stdbool.h>

#include "common/error.h"
#include "model/files/gmon_read.h"
#include "model/files/profile.h"
#include "model/sums/bbx_sum.h"

/* A profile that is to be added. */
struct merge_one {
  const char *name;
  struct profile profile;
  struct bbx sidecar;
};

/* Converts ONE, the profile of another build of the program, into one of the build EXECUTABLE.
   SUM: the counts before.  False: it cannot be converted; then ONE can only be freed. */
struct merge_joiner {
  bool (*join) (struct merge_joiner *, const struct bbx_run_object *executable,
                const struct profile *sum, struct merge_one *one, struct error *);
};

struct merge {
  struct profile profile;
  struct bbx_sum sidecar;
  struct gmon_shape shape;
  struct merge_joiner *joiner; /* null: other builds are refused */
};

void merge_init (struct merge *);
void merge_free (struct merge *);

/* Before the first merge_add, for a part of a larger sum: makes the build of the profile NAME the
   sum's, and the bins of its histograms, without its counts.  NAME must stay valid.  A profile
   without a sidecar has no build, and nothing changes.  False: likewise. */
bool merge_choose (struct merge *, const char *name, struct error *);
/* Has the sum a build? */
bool merge_has_build (const struct merge *);

/* Adds the profile NAME, which must stay valid, with its sidecar.  False: nothing of it was
   added; if ERR names no file, out of memory, and only merge_free is allowed. */
bool merge_add (struct merge *, const char *name, struct error *);

/* After the last one: writes FILE, and its sidecar if any has one.  False: both are unchanged. */
bool merge_write (struct merge *, const char *file, struct error *);

#endif
