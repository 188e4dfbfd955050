/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which program a profile is of, as its sidecar says. */
#ifndef BBPROF_PROFILE_PROGRAM_H
#define BBPROF_PROFILE_PROGRAM_H

#include <stdbool.h>

#include "common/error.h"

/* Whether NAME is a file that begins as a profile does. */
bool profile_is_one (const char *name);

/* The same of a program, or a library. */
bool profile_is_program (const char *name);

/* The program's path, of which there is a file; to be freed.  Null: ERR says why there is none,
   and what to do. */
char *profile_program (const char *profile, struct error *err);

#endif
