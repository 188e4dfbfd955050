/* SPDX-License-Identifier: MIT */
/* What the library must know about aarch64's machine code, on any operating system, under names
   that all processors share. */
#ifndef BBP_DECODE_H
#define BBP_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The target of a call or jump. */
struct bbp_branch {
  enum bbp_branch_kind { BBP_BRANCH_NONE, BBP_BRANCH_TO, BBP_BRANCH_BY_SLOT } kind;
  uintptr_t address;
  size_t bytes;
};

/* decode.c: pure. */
#define BBP_ARCH_CALL_BYTES 4
struct bbp_branch bbp_arch_call_before (const unsigned char *bytes, uintptr_t point);
#define BBP_ARCH_LONGEST_CALL 4
bool bbp_arch_is_behind_call (const unsigned char *bytes);
struct bbp_branch bbp_arch_jump (const unsigned char *bytes, size_t n, uintptr_t address);
struct bbp_branch bbp_arch_stub (const unsigned char *bytes, size_t n, uintptr_t address);
uintptr_t bbp_arch_counting_end (const unsigned char *bytes, size_t n, uintptr_t address,
                                 uintptr_t counter, uintptr_t first);
bool bbp_arch_counts (const unsigned char *bytes, size_t before, size_t n, uintptr_t address,
                      uintptr_t counter, uintptr_t first);

/* ldr value, [base, offset]; add value, value, #1; str value, [base, offset]: how compiled code and
   the hooks count. */
static inline bool
bbp_arch_is_increment (const uint32_t *code)
{
  uint32_t value = code[0] & 31, base = code[0] >> 5 & 31;
  return code[0] >> 22 == 0x3e5 && value != base && code[1] == (0x91000400 | value << 5 | value)
         && code[2] == (code[0] & ~(1U << 22));
}

/* Code never pushes registers one by one. */
static inline size_t
bbp_arch_pushes (const unsigned char *bytes, size_t n, uint8_t *registers, size_t most)
{
  (void) bytes;
  (void) n;
  (void) registers;
  (void) most;
  return 0;
}

#define BBP_ARCH_POINT_BYTES 28
bool bbp_arch_is_point (const unsigned char *bytes) __attribute__ ((visibility ("hidden")));

#pragma GCC visibility pop

#endif
