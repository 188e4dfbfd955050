/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the extents of functions in the call frame information for unwinding (.eh_frame), which
   stripping keeps: one description for each function, or for each part of one. */
#ifndef BBPROF_FRAME_FUNCTIONS_H
#define BBPROF_FRAME_FUNCTIONS_H

#include "model/elf/functions.h"
#include "model/elf/image.h"

/* Adds the functions of the object, without names.  Skips all from the first damage on.  False:
   out of memory. */
bool frame_functions_read (struct functions *, const struct image *);

#endif
