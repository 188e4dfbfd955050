/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as the source has them, of those that the linker sees. */
#ifndef BBPROF_DEMANGLE_H
#define BBPROF_DEMANGLE_H

#include "model/elf/image.h"

/* NAME demangled in fresh memory, or null if it is not mangled. */
char *demangle_name (const struct image *, const char *name);

/* Names of another compiler than the usual one, for all that is demangled from now on; a style
   that libiberty knows. */
void demangle_set_style (const char *style);

#endif
