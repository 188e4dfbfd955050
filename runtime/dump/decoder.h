/* SPDX-License-Identifier: MIT */
/* The decoder of one processor, as a table: recovery reads the code of any processor.
   machine/machine_code.h describes each function. */
#ifndef BBP_DECODER_H
#define BBP_DECODER_H

#include "decode.h"

struct bbp_decoder {
  size_t call_bytes; /* that call_before reads before the point */
  struct bbp_branch (*call_before) (const unsigned char *bytes, uintptr_t point);
  struct bbp_branch (*jump) (const unsigned char *bytes, size_t n, uintptr_t address);
  struct bbp_branch (*stub) (const unsigned char *bytes, size_t n, uintptr_t address);
  uintptr_t (*counting_end) (const unsigned char *bytes, size_t n, uintptr_t address,
                             uintptr_t counter, uintptr_t first);
  bool (*counts) (const unsigned char *bytes, size_t before, size_t n, uintptr_t address,
                  uintptr_t counter, uintptr_t first);
};

/* That of the processor whose decode.h is included. */
#define BBP_ARCH_DECODER                                                                           \
  {                                                                                                \
    .call_bytes = BBP_ARCH_CALL_BYTES, .call_before = bbp_arch_call_before, .jump = bbp_arch_jump, \
    .stub = bbp_arch_stub, .counting_end = bbp_arch_counting_end, .counts = bbp_arch_counts        \
  }

#endif
