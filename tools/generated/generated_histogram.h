/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples in generated code, as a record of gmon.out, like those of any other object. */
#ifndef BBPROF_GENERATED_HISTOGRAM_H
#define BBPROF_GENERATED_HISTOGRAM_H

#include "common/error.h"
#include "tools/generated/generated_tree.h"

/* Appends to PROFILE the samples of the tree from address START to END of the object.  TIME: what a
   tick stands for, as in the sidecar.  If PROFILE has no histogram, or the range is very large,
   only the stacks have them.  False: ERR says why PROFILE did not change. */
bool generated_histogram_append (const char *profile, const struct generated_tree *, uint64_t start,
                                 uint64_t end, const struct bbx_time *time, struct error *err);

#endif
