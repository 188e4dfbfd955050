/* SPDX-License-Identifier: MIT */
/* Code of the historic mode 2 (-ax of GCC 2.95; today ax=calls, and code written by hand).  It
   has no inline counters, but calls at each function's entry, at each block and before each
   return.  Its tables are those of historic.c.  A function's choice (choose.c) is stored in the
   table's flags, for each of its blocks, as in GCC 2.95.

   The three functions here are called by the entry points of that code
   (arch/.../historic_calls.S), which save all registers.  Context: hot. */
#include <errno.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/select/select.h"
#include "runtime/trace/sequence.h"
#include "runtime/trace/trace.h"

void bbp_historic_enter (struct bb *unit, unsigned long block, uintptr_t sp);
void bbp_historic_block (uintptr_t sp);
void bbp_historic_leave (uintptr_t sp);

/* A table of ten words, as GCC 2.7 wrote it, has no flags: its functions cannot be selected. */
static bool
has_flags (const struct bb *unit)
{
  return unit->nwords >= BBP_BB_SIZE_HISTORIC;
}

static unsigned
choice_of (const struct bb *unit, unsigned long block)
{
  return has_flags (unit) && unit->flags ? (unsigned char) unit->flags[block] : 0;
}

/* Everything is ready to run its functions. */
static bool
is_ready (const struct bb *unit)
{
  return has_flags (unit) ? __atomic_load_n (&unit->flags, __ATOMIC_ACQUIRE) != NULL
                          : unit->zero_word;
}

/* BBP_CHOICE_...  of UNIT's blocks; null: no memory.  The blocks of a function stand side by
   side, and point to the same name.  Cold, lock held. */
static char *
choose (const struct bb *unit)
{
  char *choices = bbp_pages_map ((size_t) unit->ncounts + 1);
  const char *last = NULL;
  for (long i = 0; choices && i < unit->ncounts && unit->addresses; i++)
    {
      const char *name = bbp_historic_function (unit, i);
      choices[i] = name == last ? choices[i - 1]
                                : (char) bbp_choose (name, name, bbp_historic_file (unit, i),
                                                     unit->filename, unit->addresses[i]);
      last = name;
    }
  bbp_choose_finish ();
  return choices;
}

/* Cold. */
static void
make_ready (void *argument)
{
  struct bb *unit = argument;
  int error = errno;
  __bb_init_func (unit);
  bbp_sigset old = bbp_lock ();
  if (bbp_choose_start ())
    bbp_window_start ();
  if (has_flags (unit) && !unit->flags)
    __atomic_store_n (&unit->flags, choose (unit), __ATOMIC_RELEASE);
  bbp_trace_add_module ();
  bbp_unlock (old);
  errno = error;
}

/* Registering calls functions of libc that may use vector registers; at an entry these contain
   arguments.  Without memory the next call tries again. */
static void
enter_first (struct bb *unit)
{
  size_t bytes = 2 * BBP_ARCH_VECTORS_BYTES;
  void *area = bbp_pages_map (bytes);
  if (!area)
    return;
  bbp_arch_keep_vectors (make_ready, unit, area);
  bbp_pages_unmap (area, bytes);
}

/* Distance by which UNIT's code moves the stack pointer for a call; 0: unknown. */
static uintptr_t
room_of (const struct bb *unit, uintptr_t room)
{
  return unit->nwords == BBP_BB_SIZE_CALLS && unit->magic == BBP_ABI_CALLS ? room : 0;
}

/* Called when a function of UNIT is entered; BLOCK is its first block.  SP: the stack pointer at
   the call of the entry point, here and below. */
void
bbp_historic_enter (struct bb *unit, unsigned long block, uintptr_t sp)
{
  sp += room_of (unit, BBP_CALLS_ENTER_ROOM);
  if (!is_ready (unit))
    enter_first (unit);
  if (!__bb_thread)
    bbp_thread_attach ();
  bbp_leave_handlers (sp);
  if (bbp_jump_call (sp, choice_of (unit, block), 0) && bbp_is_traced ())
    bbp_frames_enter (sp);
}

/* Frames left without notice, by longjmp or a throw, are detected at the next block.  If the
   distance of the stack pointer is unknown, they may be detected only when the function returns. */
static void
land (uintptr_t sp)
{
  bbp_leave_handlers (sp);
  bbp_jump_land (sp);
  if (bbp_is_traced ())
    bbp_frames_settle (sp);
}

/* plain_bb.c has other versions of these three, for a plain variable __bb. */
__attribute__ ((weak)) bool
bbp_named_take (void)
{
  return true;
}

__attribute__ ((weak)) void
bbp_named_keep (void)
{
}

__attribute__ ((weak)) void
bbp_named_put_back (void)
{
}

/* Called when the block in __bb is executed.  All threads count in one place.  Hidden blocks are
   ignored. */
void
bbp_historic_block (uintptr_t sp)
{
  if (!bbp_named_take ())
    return;
  struct bb *unit = __bb.blocks;
  unsigned long block = __bb.blockno;
  land (sp + room_of (unit, BBP_CALLS_BLOCK_ROOM));
  if (!bbp_arcs_count () || (choice_of (unit, block) & BBP_CHOICE_HIDDEN))
    return;
  __atomic_fetch_add (&unit->counts[block], 1, __ATOMIC_RELAXED);
  if (!unit->addresses)
    return;
  if (bbp_is_traced ())
    bbp_trace_block (unit->addresses[block]);
  if (bbp_sequence_is_wanted ())
    bbp_sequence_put (unit->addresses[block]);
  if (__bb.mode & BBP_MODE_JUMPS)
    bbp_jump_go (unit->addresses[block]);
}

/* Called when the function is about to return; the functions that it called have ended. */
void
bbp_historic_leave (uintptr_t sp)
{
  bbp_leave_handlers (sp);
  bbp_jump_return (sp + 1);
  if (bbp_is_traced ())
    bbp_frames_settle (sp + 1);
}
