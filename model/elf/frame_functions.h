/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where functions begin and end, by the call frame information that unwinding needs (.eh_frame)
   and that stripping leaves: one description for each function, or for each part of one. */
#ifndef BBPROF_FRAME_FUNCTIONS_H
#define BBPROF_FRAME_FUNCTIONS_H

#include "model/elf/functions.h"
#include "model/elf/image.h"

/* Adds those of the object, without names.  What is damaged of the section, and all behind it,
   is passed over.  False if memory is short. */
bool frame_functions_read (struct functions *, const struct image *);

#endif
