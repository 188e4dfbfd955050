/* SPDX-License-Identifier: MIT */
/* A signal ends the process: write the profile, restore the default action, and let the same signal
   end the process at the interrupted instruction, with all the kernel's information about it
   (signals.c).  Context: signal. */
#include <signal.h>
#include <ucontext.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/process/process.h"
#include "runtime/signals/signals.h"

/* Let the default action of NUMBER take effect when the handler returns.  All other signals stay
   blocked, so none can come first.  It takes effect even if the program waited in sigsuspend or
   ppoll and otherwise blocks the signal. */
static void
die (int number, const siginfo_t *info, ucontext_t *context)
{
  const struct sigaction action = { .sa_handler = SIG_DFL };
  bbp_sandbox_exempt (); /* the process ends, whatever a filter does */
  bbp_sys_sigaction (number, &action, NULL);
  *(bbp_sigset *) &context->uc_sigmask = ~(1UL << (number - 1));
  if (bbp_sys_queue_to_self (number, info) < 0)
    bbp_sys_tgkill (bbp_sys_getpid (), bbp_sys_gettid (), number);
}

/* Context: signal; also in a vfork child, which writes nothing. */
void
bbp_on_fatal (int number, siginfo_t *info, void *context)
{
  int pid = bbp_sys_getpid ();
  bbp_arch_begin_handler (context);
  if (number == SIGSEGV && bbp_gs_base_count_fault (context))
    return;
  /* Sent to a process that has become the first one of a container since its start. */
  if (pid == 1 && info->si_code <= 0)
    return;
  if (bbp_options.fatal_signals && pid == bbp.pid)
    {
      bbp_program_settle (context);
      bbp_thread_interrupt (context);
      bbp_dump_at_end (true);
      bbp_sandbox_end ();
    }
  die (number, info, context);
}

/* The program's handler of SIGABRT returns, so abort ends the process inside libc. */
void
bbp_dump_before_abort (void)
{
  if (!bbp_options.fatal_signals)
    return;
  bbp_sigset old = bbp_lock ();
  bbp_dump_in_handler ();
  bbp_unlock (old);
}
