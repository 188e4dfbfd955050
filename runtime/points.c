/* SPDX-License-Identifier: MIT */
/* The trace points of code compiled with ax (bbprof-abi.h), when something is recorded: who keeps the frames, the trace and the
   jumps is told, in this order.  BLOCK, POINT: run-time addresses; SP: the point's stack pointer.  Context: hot, called by
   arch/.../tracepoints.S. */
#include "internal.h"

__thread struct bbp_here __bb = { .bits = 1 };

void bbp_point_enter (uintptr_t block, uintptr_t sp);
void bbp_point_land (uintptr_t block, uintptr_t sp);
void bbp_point_return (uintptr_t point, uintptr_t sp);
void bbp_point_token (uintptr_t block);
void bbp_point_jump (uintptr_t block);
void bbp_point_bits (void);

/* Also if nothing is recorded, but the function's byte of choice is set, whose address is __bb.blockno. */
void
bbp_point_enter (uintptr_t block, uintptr_t sp)
{
  bbp_frames_enter (sp);
  bbp_trace_enter (block, sp);
  bbp_jump_enter (block, sp);
}

void
bbp_point_land (uintptr_t block, uintptr_t sp)
{
  bbp_frames_settle (sp);
  bbp_trace_land (block, sp);
  bbp_jump_land (block, sp);
}

void
bbp_point_return (uintptr_t point, uintptr_t sp)
{
  bbp_frames_settle (sp);
  bbp_trace_return (point, sp);
  bbp_jump_return (point, sp);
}

void
bbp_point_token (uintptr_t block)
{
  bbp_trace_token (block);
}

void
bbp_point_jump (uintptr_t block)
{
  bbp_jump_go (block);
}

void
bbp_point_bits (void)
{
  bbp_trace_bits ();
}
