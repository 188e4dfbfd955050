/* SPDX-License-Identifier: MIT */
/* What a program without libc may call of the profiler that counts in it:
   libbbprof-freestanding.a counts, and gives the bytes of a gmon.out to whoever can put them
   somewhere.  It makes no system call, allocates nothing, starts nothing by itself, and needs no
   thread-local storage: compile the program with -fplugin-arg-bbprof-update=single (or atomic,
   if several processors run it), and with -fplugin-arg-bbprof-init=entry if nobody calls its
   constructors.

   Valid C99 and C++. */
#ifndef BBPROF_FREESTANDING_H
#define BBPROF_FREESTANDING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many bytes of memory bbprof_write_counts needs: the same from the moment on when the first
   instrumented function has run, before that 0.  The program is all that was linked into one
   file. */
size_t bbprof_counts_memory (void);

/* The bytes of gmon.out, block counts and direct calls of the program, to WRITER.  WRITER gets
   them in order, in pieces, and returns how many of the N it took; what it counts itself is not
   among them.  MEMORY, of SIZE bytes, aligned for a long, is only used meanwhile.  0; -ENOMEM
   (-12): SIZE is too small; -EIO (-5): WRITER took less than it was given; -EBADMSG (-74): the
   map of the program is damaged.  Not to be called by two at a time. */
int bbprof_write_counts (long (*writer) (void *context, const void *bytes, size_t n), void *context,
                         void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif
