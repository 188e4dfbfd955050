/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many profiles as one, by addresses, without their program: nothing is lost, and neither the
   order of the profiles nor sums of sums make a difference to any byte of the result.  It takes
   the room of what differs in the profiles, however many there are. */
#ifndef BBPROF_MERGE_H
#define BBPROF_MERGE_H

#include <stdbool.h>

#include "common/error.h"
#include "model/files/gmon_read.h"
#include "model/files/profile.h"
#include "model/sums/bbx_sum.h"

struct merge {
  struct profile profile;
  struct bbx_sum sidecar;
  struct gmon_shape shape;
};

void merge_init (struct merge *);
void merge_free (struct merge *);

/* Adds the profile NAME, which has to live as long, with its sidecar.  On false nothing of it is
   added; but if ERR blames no file then memory is short, and the sum is good for merge_free
   only. */
bool merge_add (struct merge *, const char *name, struct error *);

/* After the last one: writes FILE and its sidecar, if any has one.  False: they are as they
   were. */
bool merge_write (struct merge *, const char *file, struct error *);

#endif
