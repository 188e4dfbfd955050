/* SPDX-License-Identifier: MIT */
/* Signals that end the process.  Where the program leaves one to its default action, a handler
   of ours stands in (fatal.c).  What the program sees instead is sigaction.c's matter.

   All signals are blocked in the handler, so no handler of the program's runs in between; a
   thread that gets another fatal signal meanwhile waits for the lock until the first one has
   ended the process.  A fault while they are blocked, in the profiler itself, ends the process
   at once: so does the kernel treat a blocked fault. */
#include <signal.h>
#include <ucontext.h>

#include "arch.h"
#include "include/bbprof-control.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

/* Whether somebody may stand in for the default action of NUMBER: where that ends the process,
   and can be replaced; and for that of commands. */
bool
bbp_signal_is_watched (int number)
{
  switch (number)
    {
    case BBC_SIGNAL: return true;
    case SIGKILL:
    case SIGSTOP:
    case SIGCHLD:
    case SIGCONT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGWINCH:
    case 32:
    case 33: /* libc's own, for cancellation and setuid */ return false;
    default: return number >= 1 && number <= BBP_LAST_SIGNAL;
    }
}

/* The first process of a container ends by a fault only: all else that is left to the default
   the kernel drops, and a handler would cut its sleep short. */
static bool
can_end (int number)
{
  switch (number)
    {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS: return true;
    default: return bbp_sys_getpid () != 1;
    }
}

/* The handler that stands in for the default action of NUMBER, where the program gave FLAGS;
   false: none does.  SA_ONSTACK, where the stack may be full: another one, that the program has
   for its handlers, has room for this one too.  Not for other signals, because that may be too
   small for the kernel's frame; but for ticks if untouched programs are sampled: those that give
   threads small stacks of their own handle all signals so. */
bool
bbp_signal_stand_in (int number, int flags, struct sigaction *action)
{
  *action = (struct sigaction) { .sa_flags = SA_SIGINFO | SA_RESTART };
  sigfillset (&action->sa_mask);
  if (number == BBC_SIGNAL)
    action->sa_sigaction = bbp_signals_above.on_command;
  else if (number == bbp_sampling.signal && bbp_signals_above.ticks_stand_in ())
    {
      action->sa_flags |= bbp_sampling.threads && !bbp_altstack_small ? SA_ONSTACK : 0;
      action->sa_sigaction = bbp_signals_above.on_tick;
    }
  else
    {
      action->sa_flags = SA_SIGINFO | (number == SIGSEGV ? SA_ONSTACK : 0) | (flags & SA_RESTART);
      action->sa_sigaction = bbp_signals_above.on_fatal;
      return bbp_options.fatal_signals && can_end (number);
    }
  return number != BBC_SIGNAL || bbp_options.control;
}
