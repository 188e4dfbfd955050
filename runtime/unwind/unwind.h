/* SPDX-License-Identifier: MIT */
/* From the interrupted instruction to the active calls. */
#ifndef BBP_UNWIND_H
#define BBP_UNWIND_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* function_extent.c: cold, lock held */
uintptr_t bbp_extent_begin (uintptr_t address); /* of the code that holds ADDRESS; 0: not known */
/* Both are code of one function, or of one part of it. */
bool bbp_extent_is_one (uintptr_t a, uintptr_t b);
struct bbp_frame {
  uintptr_t address; /* run-time: the pc, a return address; or as KIND says */
  uint32_t kind;     /* enum bbx_frame */
  uint32_t mapping;  /* object_mappings.c; 0: none */
};

/* unwind.c: the active calls of the calling thread, from the interrupted instruction outward,
   into FRAMES, at most MOST; how many.  END: of the stack that CONTEXT is on; 0: not known.
   Only what is certain: by DWARF call frame information, or by frame pointers where they are
   known to be good.  Reads memory of the process only where it is readable.  Signal. */
struct bbp_unwound {
  size_t n;
  /* The outermost frame has been reached; else it is cut: too deep, or not known how to go on. */
  bool whole;
  uintptr_t sp; /* stack pointer of the last one */
};
struct bbp_unwound bbp_unwind (const void *context, uintptr_t end, struct bbp_frame *frames,
                               size_t most);
void bbp_unwind_start (void); /* cold: what has to be known before */
/* cold: an object leaves, what is known of code by addresses is void. */
void bbp_unwind_forget (void);

#pragma GCC visibility pop

#endif
