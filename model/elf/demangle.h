/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles linker names into names of the source. */
#ifndef BBPROF_DEMANGLE_H
#define BBPROF_DEMANGLE_H

#include "model/elf/image.h"

/* NAME demangled in new memory, or null if it is not mangled. */
char *demangle_name (const struct image *, const char *name);

/* Selects the mangling of another compiler for all later calls; a style of libiberty's. */
void demangle_set_style (const char *style);

#endif
