/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the names and lines of generated code into a profile that was recorded.  Afterwards that
   code is an object, [generated], like any other, and no reader has to know more. */
#ifndef BBPROF_GENERATED_PROFILE_H
#define BBPROF_GENERATED_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/* For PROFILE, of run RUN, and its complete file of times, which gets rid of what is not needed any
   more.  WARN is called for each file of the process that is damaged, or was not read.  A profile
   without such code stays as it is, but for the functions of the vDSO.  False: ERR says why. */
bool generated_profile_name (const char *profile, uint64_t run, void (*warn) (const struct error *),
                             struct error *err);

#endif
