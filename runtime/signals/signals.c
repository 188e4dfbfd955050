/* SPDX-License-Identifier: MIT */
/* Signals that end the process.  Where the program leaves one to its default action, a handler of
   the library's replaces it (fatal.c). sigaction.c hides that from the program.

   All signals are blocked in the handler, so no handler of the program's runs in between.  A thread
   that gets another fatal signal meanwhile waits for the lock until the first one has ended the
   process.  A fault while signals are blocked, in the profiler itself, ends the process at once, as
   the kernel does for a blocked fault. */
#include <signal.h>
#include <ucontext.h>

#include "arch.h"
#include "include/bbprof-control.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

/* True if the library may stand in for the default action of NUMBER: it ends the process and can be
   replaced; or NUMBER is the signal of commands. */
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

/* The first process of a container can be ended only by a fault.  The kernel drops all other
   signals left to their default action, and a handler would interrupt its system calls. */
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

/* The library's handler for the default action of NUMBER; FLAGS: the program's; false: there is
   none.  SA_ONSTACK for SIGSEGV, because the stack may be full: an alternate stack of the program's
   has room for this handler.  Not for other signals, because that stack may be too small for the
   kernel's frame; but for ticks if uninstrumented programs are sampled: those that give threads
   small stacks handle all signals on alternate ones. */
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
