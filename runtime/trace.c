/* SPDX-License-Identifier: MIT */
/* What is recorded of a thread. */
#include "internal.h"

void
bbp_trace_enter (uintptr_t block, uintptr_t sp)
{
  (void) block, (void) sp;
}

void
bbp_trace_land (uintptr_t block, uintptr_t sp)
{
  (void) block, (void) sp;
}

void
bbp_trace_return (uintptr_t point, uintptr_t sp)
{
  (void) point, (void) sp;
}

void
bbp_trace_token (uintptr_t block)
{
  (void) block;
}

void
bbp_trace_bits (void)
{
  __bb.bits = 1;
}
