/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for people. */
#ifndef BBPROF_NAME_H
#define BBPROF_NAME_H

#include <stdio.h>

#include "image.h"

/* NAME demangled in fresh memory, or null if it is not mangled. */
char *name_demangle (const struct image *, const char *name);

/* Prints NAME, demangled; how many bytes that were. */
int name_print (FILE *, const struct image *, const char *name);

#endif
