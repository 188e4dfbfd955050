/* SPDX-License-Identifier: MIT */
/* The machine code of x86-64, on any operating system: sizes for machine_code.h, and what differs
   between processors. */
#ifndef BBP_DECODE_H
#define BBP_DECODE_H

#include "runtime/machine/machine_code.h"

#define BBP_ARCH_CALL_BYTES 6
#define BBP_ARCH_LONGEST_CALL 7
#define BBP_ARCH_POINT_BYTES 12

#pragma GCC visibility push(hidden)

/* The registers (BBP_ARCH_REGISTERS) that code first pushes, in order; returns their number, at
   most MOST.  BYTES, N of them: the code. */
size_t bbp_arch_pushes (const unsigned char *bytes, size_t n, uint8_t *registers, size_t most);

#pragma GCC visibility pop

#endif
