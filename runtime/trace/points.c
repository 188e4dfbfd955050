/* SPDX-License-Identifier: MIT */
/* The trace points of code compiled with ax (bbprof-abi.h), while something is recorded: calls
   frames, trace and jumps, in this order.  BLOCK, POINT: run-time addresses; SP: the point's
   stack pointer; at an entry the return address is there.  Context: hot, called by
   arch/.../tracepoints.S. */
#include "arch.h"
#include "runtime/trace/trace.h"

void bbp_point_enter (uintptr_t block, uintptr_t sp);
void bbp_point_land (uintptr_t block, uintptr_t sp);
void bbp_point_return (uintptr_t point, uintptr_t sp);
void bbp_point_token (uintptr_t block);
void bbp_point_jump (uintptr_t block);
void bbp_point_bits (void);

/* Also called if nothing is recorded, but the function's byte of choice is set.  Its address is
   __bb.blockno. */
void
bbp_point_enter (uintptr_t block, uintptr_t sp)
{
  uintptr_t back = BBP_ARCH_CALL_PUSHES ? *(const uintptr_t *) sp : 0;
  bbp_leave_handlers (sp);
  if (!bbp_jump_call (sp, *(const unsigned char *) __bb.blockno, back))
    return;
  if (bbp_is_traced ())
    {
      bbp_frames_enter (sp);
      bbp_trace_enter (block, sp);
    }
  if (__bb.mode & BBP_MODE_JUMPS)
    bbp_jump_go (block);
}

void
bbp_point_land (uintptr_t block, uintptr_t sp)
{
  bbp_leave_handlers (sp);
  bbp_jump_land (sp);
  if (bbp_is_traced ())
    {
      bbp_frames_settle (sp);
      bbp_trace_land (block, sp);
    }
  if (__bb.mode & BBP_MODE_JUMPS)
    bbp_jump_go (block);
}

void
bbp_point_return (uintptr_t point, uintptr_t sp)
{
  bbp_leave_handlers (sp);
  bbp_jump_return (sp);
  if (bbp_is_traced ())
    {
      bbp_frames_settle (sp);
      bbp_trace_return (point, sp);
    }
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
