/* SPDX-License-Identifier: MIT */
/* System calls that were interrupted.  Context: signal. */
#include "sampling.h"

long
bbp_kernel_call (const void *context)
{
  (void) context;
  return BBP_SYSCALL_NONE;
}
