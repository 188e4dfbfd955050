/* SPDX-License-Identifier: MIT */
/* The decoder of machine code, arch/<cpu>/decode.c: pure functions, on any operating system.  The
   processor's decode.h defines the sizes that they name. */
#ifndef BBP_MACHINE_CODE_H
#define BBP_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The target of a call or jump. */
struct bbp_branch {
  enum bbp_branch_kind {
    BBP_BRANCH_NONE,   /* neither a call nor a jump, or the target is not known */
    BBP_BRANCH_TO,     /* to ADDRESS */
    BBP_BRANCH_BY_SLOT /* to the address in the slot at ADDRESS */
  } kind;
  uintptr_t address;
  size_t bytes; /* bytes of code up to its end */
};

/* The call that returns to POINT; BYTES: the last BBP_ARCH_CALL_BYTES bytes before it, at most. */
struct bbp_branch bbp_arch_call_before (const unsigned char *bytes, uintptr_t point);
/* True if any kind of call ends with BYTES, BBP_ARCH_LONGEST_CALL of them. */
bool bbp_arch_is_behind_call (const unsigned char *bytes);
/* The jump at ADDRESS, possibly conditional; at least N bytes are readable. */
struct bbp_branch bbp_arch_jump (const unsigned char *bytes, size_t n, uintptr_t address);
/* Likewise for code between a call and its function: thunks, entries of the procedure linkage
   table. */
struct bbp_branch bbp_arch_stub (const unsigned char *bytes, size_t n, uintptr_t address);

/* The address behind the instruction that increments COUNTER, in code of N bytes at ADDRESS, as the
   plugin writes it; 0: there is none.  FIRST: the first counter of the code's function. */
uintptr_t bbp_arch_counting_end (const unsigned char *bytes, size_t n, uintptr_t address,
                                 uintptr_t counter, uintptr_t first);

/* True if the code at ADDRESS is about to increment the counter.  BEFORE bytes in front of BYTES
   are readable as well: the increment may have begun there.  FIRST: as above. */
bool bbp_arch_counts (const unsigned char *bytes, size_t before, size_t n, uintptr_t address,
                      uintptr_t counter, uintptr_t first);

/* True if the code at BYTES, BBP_ARCH_POINT_BYTES of them, is the trace point behind a call, as the
   plugin writes it. */
bool bbp_arch_is_point (const unsigned char *bytes);

#pragma GCC visibility pop

#endif
