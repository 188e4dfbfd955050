/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user can do about functions that have no names. */
#ifndef BBPROF_MISSING_NAMES_H
#define BBPROF_MISSING_NAMES_H

#include <stdbool.h>

struct model;

/* If much of the profile is in such functions, and no model before has said so, adds one line to
   the warnings: of which objects they are, and which packages or which variable would give
   names.  After symtab_load.  False if memory is short. */
bool missing_names_warn (struct model *);

#endif
