/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of one object, from the best source that there is.  The sources in their order:

     the object's table of symbols (.symtab), or that of its debug file (debug_file.h),
     what a stripped object names for the linker, .dynsym and .gnu_debugdata (linked_functions.h),
     the stubs of the linkage table, as printf@plt (image.h),
     the extents that unwinding knows (frame_functions.h), where no name is: [gzip+0x1234],
     the sections with code: what is left begins where the functions before end.

   So each address of code is in some function, no time is lost, and none is given to another
   object. */
#ifndef BBPROF_OBJECT_SYMBOLS_H
#define BBPROF_OBJECT_SYMBOLS_H

#include <stdbool.h>

#include "model/symbols/objects.h"
#include "model/symbols/symtab.h"

/* False if memory is short. */
bool object_symbols_add (struct symtab *, const struct object *, const struct symtab_choice *);

#endif
