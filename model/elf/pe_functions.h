/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of a program or library of Windows that are in no symbol table. */
#ifndef BBPROF_PE_FUNCTIONS_H
#define BBPROF_PE_FUNCTIONS_H

#include "model/elf/functions.h"
#include "model/elf/image.h"

/* Takes over a name, which lives as long as the functions do; false: out of memory. */
typedef bool pe_keep (void *keeper, char *name);

/* Adds the functions that the image exports, whose names KEEP takes over, and the extents of all
   with a stack frame (.pdata).  Nothing for an image of another kind, or where the tables are
   damaged.  False: out of memory. */
bool pe_functions_read (struct functions *, const struct image *, pe_keep *keep, void *keeper);

#endif
