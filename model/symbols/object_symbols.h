/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions of one object in the best available sources.  The sources in their order:

     the object's symbol table (.symtab), or that of its debug file (debug_file.h),
     a stripped object's names for the linker, .dynsym and .gnu_debugdata (linked_functions.h),
     the stubs of the linkage table, as printf@plt (image.h),
     the extents for unwinding (frame_functions.h), where there is no name: [gzip+0x1234],
     the sections with code: each gap begins where the functions before it end.

   So each address of code is in some function; no time is lost, and none is given to another
   object. */
#ifndef BBPROF_OBJECT_SYMBOLS_H
#define BBPROF_OBJECT_SYMBOLS_H

#include <stdbool.h>

#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* False: out of memory. */
bool object_symbols_add (struct symtab *, const struct object *, const struct symtab_choice *);

#endif
