/* SPDX-License-Identifier: MIT */
/* The machine code of riscv64, on any operating system: sizes for machine_code.h, and what differs
   between processors. */
#ifndef BBP_DECODE_H
#define BBP_DECODE_H

#include "runtime/machine/machine_code.h"

#define BBP_ARCH_CALL_BYTES 8
#define BBP_ARCH_LONGEST_CALL 4
#define BBP_ARCH_POINT_BYTES 24

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
