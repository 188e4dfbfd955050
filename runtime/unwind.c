/* SPDX-License-Identifier: MIT */
/* The stack of the interrupted thread.  Context: signal, but as said. */
#include "arch.h"
#include "sampling.h"

struct bbp_unwound
bbp_unwind (const void *context, struct bbp_frame *frames, size_t most)
{
  if (most)
    frames[0] = (struct bbp_frame) { .address = bbp_arch_pc (context), .kind = BBX_FRAME_CODE };
  return (struct bbp_unwound) { .n = most > 0 };
}

void
bbp_unwind_start (void)
{
}

void
bbp_unwind_forget (void)
{
}
