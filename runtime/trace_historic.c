/* SPDX-License-Identifier: MIT */
/* Code of the historic mode 2 (-ax of GCC 2.95; today ax=calls, and what people write by hand): it counts nothing in line,
   but calls at each function's entry, at each block and before each return.  Its tables are those of historic.c.

   The three functions here are behind the entry points of that code (arch/.../historic_calls.S), which keep all registers.
   Context: hot. */
#include <errno.h>

#include "arch.h"
#include "internal.h"

void bbp_historic_enter (struct bb *unit, unsigned long block, uintptr_t sp);
void bbp_historic_block (uintptr_t sp);
void bbp_historic_leave (uintptr_t sp);

static void
register_unit (void *unit)
{
  int error = errno;
  __bb_init_func (unit);
  errno = error;
}

/* Registering asks libc for this and that, which may use vector registers; at an entry these hold arguments.  Without memory it
   is tried again at the next call. */
static void
enter_first (struct bb *unit)
{
  size_t bytes = 2 * BBP_ARCH_VECTORS_BYTES;
  void *area = bbp_pages_map (bytes);
  if (!area)
    return;
  bbp_arch_keep_vectors (register_unit, unit, area);
  bbp_pages_unmap (area, bytes);
}

/* How far the stack pointer of UNIT's code is moved for a call; 0: nobody says. */
static uintptr_t
room_of (const struct bb *unit, uintptr_t room)
{
  return unit->nwords == BBP_BB_SIZE_CALLS && unit->magic == BBP_ABI_CALLS ? room : 0;
}

/* A function of UNIT is entered, of which BLOCK is the first.  SP: the stack pointer at the call of the entry point, here
   and below. */
void
bbp_historic_enter (struct bb *unit, unsigned long block, uintptr_t sp)
{
  (void) block;
  if (!unit->zero_word)
    enter_first (unit);
  if (!__bb_thread)
    bbp_thread_attach ();
  bbp_frames_enter (sp + room_of (unit, BBP_CALLS_ENTER_ROOM));
}

/* The block that __bb names is executed.  All threads count in one place.  Who has left frames without telling, by longjmp or
   a throw, is found out here. */
void
bbp_historic_block (uintptr_t sp)
{
  struct bb *unit = __bb.blocks;
  uintptr_t room = room_of (unit, BBP_CALLS_BLOCK_ROOM);
  if (room)
    bbp_frames_settle (sp + room);
  if (bbp_arcs_count ())
    __atomic_fetch_add (&unit->counts[__bb.blockno], 1, __ATOMIC_RELAXED);
}

/* The function is about to be left, and those that it has called are gone. */
void
bbp_historic_leave (uintptr_t sp)
{
  bbp_frames_settle (sp + 1);
}
