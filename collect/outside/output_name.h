/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name of a profile that a command writes for a program: with the %-letters of output= that are
   known before the program runs. */
#ifndef BBPROF_OUTPUT_NAME_H
#define BBPROF_OUTPUT_NAME_H

#include "common/error.h"

/* PATTERN in new memory, with %h (host), %b (build id of the file EXECUTABLE, or "none"), %e (NAME)
   and %t (now).  Null: it has a letter that only the program itself knows, is too long, or there is
   no memory. */
char *output_name (const char *pattern, const char *executable, const char *name, struct error *);

#endif
