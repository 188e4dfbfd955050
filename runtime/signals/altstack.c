/* SPDX-License-Identifier: MIT */
/* Small stacks for signal handlers.  The kernel's frame alone takes some thousand bytes where
   registers are wide, so a stack of the size that was always recommended has no room for a tick
   on top of a handler of the program's, and the smallest one not even for a tick alone: what
   lies below would be overwritten, or the program ended.

   So from the first small one on, in any thread, ticks come on the stack that is in use, and
   handlers of the program's that run on the other one are not interrupted by them: their time is
   their interrupted code's.
   Context: any in which sigaltstack may be called. */
#include <errno.h>
#include <signal.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

#define ROOM 16384 /* for two frames, a tick's handler, and the program's */

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
      bbp_signals_spare ();
    }
  long result
      = bbp_arch_syscall (SYS_sigaltstack, (long) (new ? &set : NULL), (long) old, 0, 0, 0, 0);
  if (result >= 0)
    return 0;
  errno = (int) -result;
  return -1;
}
