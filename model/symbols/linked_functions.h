/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that a stripped object still names: in the linker's table (.dynsym), and in the
   small compressed table of some distributions (.gnu_debugdata).  Both through libdwfl. */
#ifndef BBPROF_LINKED_FUNCTIONS_H
#define BBPROF_LINKED_FUNCTIONS_H

#include "model/elf/functions.h"
#include "model/symbols/symtab.h"

/* Adds the functions of the file PATH; NAMES owns their names.  False: out of memory. */
bool linked_functions_read (struct functions *, const char *path, struct symtab *names);

#endif
