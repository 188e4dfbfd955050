/* SPDX-License-Identifier: MIT */
/* The functions that a program without libc may call when libbbprof-freestanding.a counts in it.
   The library gives the bytes of a gmon.out to a function of the program.  It makes no system
   call, allocates nothing, starts nothing by itself, and needs no thread-local storage.

   Compile the program with -fplugin-arg-bbprof-update=single, or =atomic if several processors
   run it.  Add -fplugin-arg-bbprof-init=entry if nothing calls its constructors.

   Valid C99 and C++. */
#ifndef BBPROF_FREESTANDING_H
#define BBPROF_FREESTANDING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bytes of memory that bbprof_write_counts needs.  It is 0 until the first
   instrumented function has run, and constant from then on.  The program is all that was linked
   into one file. */
size_t bbprof_counts_memory (void);

/* Pass the bytes of a gmon.out, with the program's block counts and direct calls, to WRITER.
   WRITER gets them in order, in several calls, and returns how many of the N bytes it took; its
   own counts are not included.  MEMORY, of SIZE bytes, aligned for a long, is used only during
   the call.  Returns 0; -ENOMEM (-12): SIZE is too small; -EIO (-5): WRITER took fewer bytes
   than it was given; -EBADMSG (-74): the program's map is damaged.  Only one call at a time. */
int bbprof_write_counts (long (*writer) (void *context, const void *bytes, size_t n), void *context,
                         void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif
