/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the program of a profile from its sidecar. */
#ifndef BBPROF_PROFILE_PROGRAM_H
#define BBPROF_PROFILE_PROGRAM_H

#include <stdbool.h>

#include "common/error.h"

/* True if NAME is a file that begins like a profile. */
bool profile_is_one (const char *name);

/* True if NAME is an ELF file: a program or a library. */
bool profile_is_program (const char *name);

/* Whether no program comes behind a profile at the begin of N operands, as PROGRAM comes first.
   False: a line on stderr, from ARGV0, says so. */
bool profile_comes_last (const char *argv0, int n, char *const *operands);

/* Returns the path of the program, which exists; the caller frees it.  Null: ERR has the reason
   and what to do. */
char *profile_program (const char *profile, struct error *err);

#endif
