/* SPDX-License-Identifier: MIT */
/* What the library must know about x86-64's machine code, on any operating system, under names
   that all processors share. */
#ifndef BBP_DECODE_H
#define BBP_DECODE_H

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

/* decode.c: pure.  The call that returns to POINT; BYTES: the last BBP_ARCH_CALL_BYTES bytes before
   it, at most. */
#define BBP_ARCH_CALL_BYTES 6
struct bbp_branch bbp_arch_call_before (const unsigned char *bytes, uintptr_t point);
/* True if any kind of call ends with BYTES, BBP_ARCH_LONGEST_CALL of them. */
#define BBP_ARCH_LONGEST_CALL 7
bool bbp_arch_is_behind_call (const unsigned char *bytes);
/* The registers (BBP_ARCH_REGISTERS) that code first pushes, in order; returns their number, at
   most MOST.  BYTES, N of them: the code. */
size_t bbp_arch_pushes (const unsigned char *bytes, size_t n, uint8_t *registers, size_t most);
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

/* True if the code at BYTES is the trace point behind a call, as the plugin writes it. */
#define BBP_ARCH_POINT_BYTES 12
bool bbp_arch_is_point (const unsigned char *bytes);

#pragma GCC visibility pop

#endif
