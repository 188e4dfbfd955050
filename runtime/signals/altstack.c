/* SPDX-License-Identifier: MIT */
/* Small alternate signal stacks.  The kernel's frame alone takes several thousand bytes on
   processors with wide registers.  A stack of the size that was always recommended (SIGSTKSZ) has
   no room for a tick on top of a handler of the program's; the smallest size has none even for a
   tick alone.  The tick would overwrite what lies below, or end the program.

   So after the first small stack, in any thread, ticks use the current stack instead.  They are
   blocked while a handler of the program's runs on the alternate one.  Its time is attributed to
   the code that it interrupted.  Context: any in which sigaltstack may be called. */
#include <errno.h>
#include <signal.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

#define ROOM 16384 /* bytes for two frames, a tick's handler, and the program's */

bool bbp_altstack_small;

static bool
is_small (const stack_t *stack)
{
  return !(stack->ss_flags & SS_DISABLE) && stack->ss_size < ROOM;
}

BBP_PUBLIC_WEAK int
sigaltstack (const stack_t *restrict new, stack_t *restrict old)
{
  stack_t set;
  if (new)
    set = *new;
  if (new && !bbp_altstack_small && is_small (&set) && bbp_own_memory ())
    {
      __atomic_store_n (&bbp_altstack_small, true, __ATOMIC_RELAXED);
      bbp_signals_block_ticks ();
    }
  long result
      = bbp_arch_syscall (SYS_sigaltstack, (long) (new ? &set : NULL), (long) old, 0, 0, 0, 0);
  if (result >= 0)
    return 0;
  errno = (int) -result;
  return -1;
}
