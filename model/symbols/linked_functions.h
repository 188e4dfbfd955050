/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that a stripped object still names: those of the linker's table (.dynsym), and
   of the small compressed table that some distributions put beside it (.gnu_debugdata).  Both
   through libdwfl. */
#ifndef BBPROF_LINKED_FUNCTIONS_H
#define BBPROF_LINKED_FUNCTIONS_H

#include "model/elf/functions.h"
#include "model/symbols/symtab.h"

/* Adds those of the file PATH; NAMES keeps their names.  False if memory is short. */
bool linked_functions_read (struct functions *, const char *path, struct symtab *names);

#endif
