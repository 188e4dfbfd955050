/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of generated code, from the jitdump, if that is still there when the run has
   ended. */
#ifndef BBPROF_CODE_BYTES_H
#define BBPROF_CODE_BYTES_H

#include "tools/generated/kept_codes.h"

/* Gives the kept codes their bytes, where the jitdumps that the file of times names have them.
   Code that has different bytes at different times gets none.  False: out of memory. */
bool code_bytes_read (struct kept_codes *, const char *times_name);

/* Have all of them bytes? */
bool code_bytes_are_known (const struct kept_codes *);

#endif
