/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for users about functions without names. */
#ifndef BBPROF_MISSING_NAMES_H
#define BBPROF_MISSING_NAMES_H

#include <stdbool.h>

struct model;

/* If much of the profile is in functions without names, adds one warning: the objects, and the
   packages or the variable that would give names.  Only once in a process.  After symtab_load.
   False: out of memory. */
bool missing_names_warn (struct model *);

#endif
