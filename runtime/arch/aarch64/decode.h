/* SPDX-License-Identifier: MIT */
/* The machine code of aarch64, on any operating system: sizes for machine_code.h, and what differs
   between processors. */
#ifndef BBP_DECODE_H
#define BBP_DECODE_H

#include "runtime/machine/machine_code.h"

#define BBP_ARCH_CALL_BYTES 4
#define BBP_ARCH_LONGEST_CALL 4
#define BBP_ARCH_POINT_BYTES 28

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

#endif
