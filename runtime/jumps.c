/* SPDX-License-Identifier: MIT */
/* Jumps around calls, which the map's edges do not tell: see bbprof-abi.h.  Context: hot, by points.c, behind frames.c. */
#include "internal.h"

void
bbp_jump_enter (uintptr_t block, uintptr_t sp)
{
  (void) block, (void) sp;
}

void
bbp_jump_land (uintptr_t block, uintptr_t sp)
{
  (void) block, (void) sp;
}

void
bbp_jump_return (uintptr_t point, uintptr_t sp)
{
  (void) point, (void) sp;
}

void
bbp_jump_go (uintptr_t block)
{
  (void) block;
}
