/* SPDX-License-Identifier: MIT */
/* Unwinding: from the interrupted instruction to the active calls. */
#ifndef BBP_UNWIND_H
#define BBP_UNWIND_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof.h"

#pragma GCC visibility push(hidden)

/* function_extent.c: cold, lock held */
/* of the code that contains ADDRESS; 0: not known */
uintptr_t bbp_extent_begin (uintptr_t address);
/* likewise, its end as well; false: not known */
bool bbp_extent_of (uintptr_t address, uintptr_t *start, uintptr_t *end);
/* True if both are code of one function, or of one part of it. */
bool bbp_extent_is_one (uintptr_t a, uintptr_t b);
struct bbp_frame {
  uintptr_t address; /* run-time: the pc, or a return address; or as KIND says */
  uint32_t kind;     /* enum bbx_frame, perhaps with BBX_FRAME_BY_POINTER */
  uint32_t mapping;  /* object_mappings.c; 0: none */
};

/* unwind.c: the call stack of the calling thread, innermost first, into FRAMES, at most MOST;
   returns the number.  PLACES: gets, for each, where it is on the stack; null: not needed.  END: of
   the stack that CONTEXT is on; 0: not known.  Only certain frames: by DWARF call frame
   information, or by frame pointers that are known to be valid.  Reads only memory that is
   readable.  Signal. */
enum { BBP_DEPTH = 512 }; /* frames of a stack, at most; the innermost ones are kept */
struct bbp_unwound {
  size_t n;
  /* The outermost frame has been reached; else the stack is cut: too deep, or no way to
     continue. */
  bool whole;
  uintptr_t sp; /* stack pointer of the last frame */
};
struct bbp_unwound bbp_unwind (const void *context, uintptr_t end, struct bbp_frame *frames,
                               struct bbprof_native *places, size_t most);
void bbp_unwind_start (void); /* cold: what must be known before */
/* cold: an object is unloaded, so cached rows of its addresses are invalid. */
void bbp_unwind_forget (void);

/* system_call.c: the number of the system call in which the kernel interrupted CONTEXT; NONE: in
   none.  Signal. */
enum { BBP_SYSCALL_NONE = -1, BBP_SYSCALL_UNKNOWN = -2 };
enum { BBP_CALL_CODE = 48, BBP_CALL_BEHIND = 16 };
struct bbp_call_reader {
  /* Reads up to BBP_CALL_CODE bytes before ADDRESS and BBP_CALL_BEHIND bytes from there, or less at
     the bounds of a page: BYTES; *BEFORE: how many are before ADDRESS.  False: not readable. */
  bool (*code) (unsigned char *bytes, uintptr_t address, size_t *before);
  bool (*word) (uintptr_t address, uintptr_t *value);
  /* The number that the code at ENTRY has kept elsewhere; false: none.  Null: no code does. */
  bool (*kept) (const void *context, uintptr_t entry, long *number);
};
long bbp_system_call (const void *context, const struct bbp_call_reader *);

#pragma GCC visibility pop

#endif
