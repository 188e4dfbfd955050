/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which function does a user mean? */
#ifndef BBPROF_PATTERN_H
#define BBPROF_PATTERN_H

#include <stdbool.h>

/* Is PATTERN, one of the shell's or a name as it is, one of the names of a function: SYMBOL, as the linker knows it, also without
   what GCC adds to copies and parts of it (.part.0); NAME, demangled, or null, also without its parameters, and without arguments of templates and what it returns? */
bool pattern_is_function (const char *pattern, const char *symbol, const char *name);

#endif
