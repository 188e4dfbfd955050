/* SPDX-License-Identifier: MIT */
/* Replacements of sigaction and its relatives.  The program sets and sees its own dispositions,
   while the library's handlers replace default actions (signals.c; for SIGPROF the sampler's; for
   SIGURG that of commands).

   The kernel is always asked for the installed handler.  If it is one of the library's, the program
   sees what it set itself (its *view*); else it sees the kernel's answer.  So changes inside libc
   that are not intercepted (system, posix_spawn, abort) work: they restore what they found.

   Handlers of the program's are called by the handler wrapper (handler_wrapper.c), which the
   program does not see either.

   Calls are passed on to the next definition of sigaction, libc's or a sanitizer's; the other
   functions are made from it.  Context: any, also a vfork child: its dispositions are its own, but
   its memory is the parent's, so it writes no view. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include "include/bbprof-control.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

/* Null in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

typedef void (*handler) (int);

static int (*next) (int, const struct sigaction *, struct sigaction *) = __sigaction;

/* The program's views of signals with a handler of the library's.  Words, each atomic: if two
   threads set one signal at the same time, either setting may result. */
static struct {
  uintptr_t handler, flags, restorer, mask;
} views[BBP_LAST_SIGNAL + 1];

static void
put_view (int number, const struct sigaction *action)
{
  __atomic_store_n (&views[number].handler, (uintptr_t) action->sa_handler, __ATOMIC_RELAXED);
  __atomic_store_n (&views[number].flags, (uintptr_t) action->sa_flags, __ATOMIC_RELAXED);
  __atomic_store_n (&views[number].restorer, (uintptr_t) action->sa_restorer, __ATOMIC_RELAXED);
  __atomic_store_n (&views[number].mask, *(const bbp_sigset *) &action->sa_mask, __ATOMIC_RELAXED);
}

/* The kernel uses only the first word of the mask; like libc, leave the other words unchanged. */
static void
get_view (int number, struct sigaction *action)
{
  action->sa_handler = (handler) __atomic_load_n (&views[number].handler, __ATOMIC_RELAXED);
  action->sa_flags = (int) __atomic_load_n (&views[number].flags, __ATOMIC_RELAXED);
  action->sa_restorer
      = (void (*) (void)) __atomic_load_n (&views[number].restorer, __ATOMIC_RELAXED);
  *(bbp_sigset *) &action->sa_mask = __atomic_load_n (&views[number].mask, __ATOMIC_RELAXED);
}

static bool
stands_in (const struct sigaction *action)
{
  return action->sa_sigaction == bbp_signals_above.on_fatal
         || action->sa_sigaction == bbp_signals_above.on_tick
         || action->sa_sigaction == bbp_signals_above.on_command;
}

/* Removes the flag that the wrapper has added.  The kernel keeps the flags of a handler that it has
   removed itself (SA_RESETHAND). */
static void
hide_flag (struct sigaction *seen, const struct bbp_wrapped *wrapped)
{
  bool removed = seen->sa_handler == SIG_DFL && wrapped->once;
  if (wrapped->plain && (removed || seen->sa_sigaction == bbp_wrapper))
    seen->sa_flags &= ~SA_SIGINFO;
}

static bool stopped; /* the library installs no more handlers; sandbox.c */

/* Install the library's handler for NUMBER if the program leaves the signal to its default action;
   remove it if there is none any more. */
bool
bbp_signal_adopt (int number)
{
  struct sigaction now, set;
  if (bbp_sys_sigaction (number, NULL, &now) != 0)
    return false;
  struct bbp_wrapped wrapped = bbp_wrapper_get (number);
  bool free = now.sa_handler == SIG_DFL;
  hide_flag (&now, &wrapped);
  if (free)
    put_view (number, &now);
  else if (!stands_in (&now))
    return false;
  get_view (number, &now);
  bool ours = !stopped && bbp_signal_stand_in (number, now.sa_flags, &set);
  if (ours)
    bbp_sys_sigaction (number, &set, NULL);
  else if (!free)
    bbp_sys_sigaction (number, &now, NULL);
  if (number == BBC_SIGNAL)
    bbp_signals_above.commands_answered (ours);
  return true;
}

static bbp_sigset
bit (int number)
{
  return number >= 1 && number <= BBP_LAST_SIGNAL ? 1UL << (number - 1) : 0;
}

static bool
is_handler (const struct sigaction *action)
{
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static struct bbp_wrapped
wrapped_of (const struct sigaction *action)
{
  return (struct bbp_wrapped) { (uintptr_t) action->sa_handler, action->sa_flags & SA_RESETHAND,
                                action->sa_flags & SA_RESTART, !(action->sa_flags & SA_SIGINFO),
                                false };
}

/* Block ticks while a handler runs on a stack without room for them.  Returns their signal; 0: no
   need, or the program blocks it itself. */
static int
block_tick (struct sigaction *action)
{
  bbp_sigset *mask = (bbp_sigset *) &action->sa_mask, ticks = bit (bbp_sampling.signal);
  bool blocked_tick = bbp_altstack_small && bbp_sampling.threads && (action->sa_flags & SA_ONSTACK)
                      && !(*mask & ticks);
  if (blocked_tick)
    *mask |= ticks;
  return blocked_tick ? bbp_sampling.signal : 0;
}

/* Convert OLD, which contains the wrapper, into what the program set. */
static void
restore_view (struct sigaction *old, const struct bbp_wrapped *wrapped)
{
  old->sa_handler = (handler) wrapped->handler;
  *(bbp_sigset *) &old->sa_mask &= ~bit (wrapped->blocked_tick);
}

/* Handlers that are set already, and the library's own. */
void
bbp_signals_block_ticks (void)
{
  for (int number = 1; number <= BBP_LAST_SIGNAL; number++)
    {
      struct sigaction now;
      bbp_sigset open = bbp_signals_block ();
      struct bbp_wrapped wrapped = bbp_wrapper_get (number);
      if (bbp_sys_sigaction (number, NULL, &now) == 0 && now.sa_sigaction == bbp_wrapper
          && wrapped.blocked_tick != bbp_sampling.signal)
        {
          restore_view (&now, &wrapped);
          wrapped.blocked_tick = block_tick (&now);
          now.sa_sigaction = bbp_wrapper;
          bbp_wrapper_set (number, &wrapped);
          bbp_sys_sigaction (number, &now, NULL);
        }
      bbp_signals_restore (open);
    }
  if (bbp_signals_above.ticks_stand_in ())
    bbp_signal_adopt (bbp_sampling.signal);
}

/* Set NEW, a handler of the program's, with the wrapper in front of it.  Signals are blocked
   between the change of the wrapper's data and the kernel's. */
static int
set_wrapped (int number, const struct sigaction *new, struct sigaction *old)
{
  struct sigaction set = *new;
  struct bbp_wrapped before = bbp_wrapper_get (number), wrapped = wrapped_of (new);
  set.sa_sigaction = bbp_wrapper;
  set.sa_flags |= SA_SIGINFO;
  wrapped.blocked_tick = block_tick (&set);
  bbp_sigset open = bbp_signals_block ();
  bbp_wrapper_set (number, &wrapped);
  int result = next (number, &set, old);
  if (result != 0)
    bbp_wrapper_set (number, &before);
  else
    hide_flag (old, &before);
  if (result == 0 && old->sa_sigaction == bbp_wrapper)
    restore_view (old, &before);
  bbp_signals_restore (open);
  return result;
}

static int
set_plainly (int number, const struct sigaction *new, struct sigaction *old)
{
  int result = next (number, new, old);
  struct bbp_wrapped wrapped = bbp_wrapper_get (number);
  if (result == 0)
    hide_flag (old, &wrapped);
  if (result == 0 && old->sa_sigaction == bbp_wrapper)
    restore_view (old, &wrapped);
  return result;
}

/* For the signal of ticks the library's handler stays installed; NEW is only remembered. */
static void
remember_handler (int number, const struct sigaction *new)
{
  struct bbp_wrapped wrapped = wrapped_of (new);
  bbp_sigset open = bbp_signals_block ();
  if (is_handler (new))
    bbp_wrapper_set (number, &wrapped);
  put_view (number, new);
  bbp_signals_restore (open);
}

bool
bbp_signal_is_free (int number)
{
  struct sigaction now;
  if (bbp_sys_sigaction (number, NULL, &now) != 0)
    return false;
  if (stands_in (&now))
    get_view (number, &now);
  return now.sa_handler == SIG_DFL;
}

/* As the kernel would, call the program's handler with more signals blocked than before. */
bool
bbp_signal_forward (int number, siginfo_t *info, void *context)
{
  struct sigaction view;
  bbp_sigset mask = *(bbp_sigset *) &((ucontext_t *) context)->uc_sigmask;
  get_view (number, &view);
  if (!bbp_signals_above.ticks_share (number) || view.sa_handler == SIG_DFL)
    return false;
  if (view.sa_handler == SIG_IGN)
    return true;
  if (view.sa_flags & SA_RESETHAND)
    put_view (number, &(struct sigaction) { .sa_handler = SIG_DFL });
  mask |= *(bbp_sigset *) &view.sa_mask;
  bbp_signals_restore (view.sa_flags & SA_NODEFER ? mask : mask | bit (number));
  bbp_wrapper (number, info, context);
  return true;
}

/* The implementation of sigaction.  SIGPROF: the timer is stopped before its ticks could reach a
   handler of the program's. */
int
bbp_sigaction (int number, const struct sigaction *new, struct sigaction *old)
{
  if (!bit (number))
    return next (number, new, old);
  struct sigaction view, set, was;
  bool ours = new &&bbp_own_process ();
  get_view (number, &view);
  if (new)
    set = *new;
  if (ours && bbp_signals_above.ticks_share (number) && next (number, NULL, &was) == 0
      && was.sa_sigaction == bbp_signals_above.on_tick)
    {
      if (old)
        *old = view;
      remember_handler (number, &set);
      return 0;
    }
  if (ours && number == SIGPROF && set.sa_handler != SIG_DFL)
    {
      bbp_signals_above.take_tick_signal (true);
      bbp_sigmask_settle ();
    }
  if (ours && number == BBC_SIGNAL)
    bbp_signals_above.commands_answered (false);
  if (!old)
    old = &was;
  bool behind = ours && is_handler (&set) && !stopped;
  if ((behind ? set_wrapped (number, &set, old) : set_plainly (number, new ? &set : NULL, old))
      != 0)
    return -1;
  if (stands_in (old))
    *old = view;
  if (ours && set.sa_handler == SIG_DFL && bbp_signal_is_watched (number))
    {
      bbp_signal_adopt (number);
      if (number == SIGPROF)
        bbp_signals_above.take_tick_signal (false);
    }
  return 0;
}

static void __attribute__ ((constructor (101))) find_next (void)
{
  int (*found) (int, const struct sigaction *, struct sigaction *)
      = dlsym ? dlsym (RTLD_NEXT, "sigaction") : NULL;
  if (found)
    next = found;
}

void
bbp_sigaction_start (void)
{
  stopped = false;
  for (int number = 1; number <= BBP_LAST_SIGNAL; number++)
    if (bbp_signal_is_watched (number))
      bbp_signal_adopt (number);
}

void
bbp_sigaction_stop (void)
{
  struct sigaction now;
  stopped = true;
  bbp_signals_above.commands_answered (false);
  for (int number = 1; number <= BBP_LAST_SIGNAL; number++)
    if (bbp_sigaction (number, NULL, &now) == 0)
      bbp_sys_sigaction (number, &now, NULL);
}

BBP_PUBLIC_WEAK int
sigaction (int number, const struct sigaction *new, struct sigaction *old)
{
  return bbp_sigaction (number, new, old);
}

/* For bsd_signal: the signals that siginterrupt made interrupt system calls. */
static bbp_sigset interrupting;

/* The common part of the older functions. */
static handler
set_handler (int number, handler function, int flags, bbp_sigset mask)
{
  struct sigaction new = { .sa_handler = function, .sa_flags = flags }, old;
  if (!bit (number) || function == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  *(bbp_sigset *) &new.sa_mask = mask;
  return bbp_sigaction (number, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static handler
set_bsd (int number, handler function)
{
  bool restart = !(__atomic_load_n (&interrupting, __ATOMIC_RELAXED) & bit (number));
  return set_handler (number, function, restart ? SA_RESTART : 0, bit (number));
}

static handler
set_sysv (int number, handler function)
{
  return set_handler (number, function, SA_RESETHAND | SA_NODEFER | SA_INTERRUPT, 0);
}

BBP_PUBLIC_WEAK handler signal (int number, handler function);
BBP_PUBLIC_WEAK handler bsd_signal (int number, handler function);
BBP_PUBLIC_WEAK handler ssignal (int number, handler function);
BBP_PUBLIC_WEAK handler sysv_signal (int number, handler function);
BBP_PUBLIC_WEAK handler __sysv_signal (int number, handler function);

handler
signal (int number, handler function)
{
  return set_bsd (number, function);
}

handler
bsd_signal (int number, handler function)
{
  return set_bsd (number, function);
}

handler
ssignal (int number, handler function)
{
  return set_bsd (number, function);
}

handler
sysv_signal (int number, handler function)
{
  return set_sysv (number, function);
}

handler
__sysv_signal (int number, handler function)
{
  return set_sysv (number, function);
}

BBP_PUBLIC_WEAK int
siginterrupt (int number, int interrupt)
{
  struct sigaction action;
  if (bbp_sigaction (number, NULL, &action) != 0)
    return -1;
  if (interrupt)
    {
      __atomic_fetch_or (&interrupting, bit (number), __ATOMIC_RELAXED);
      action.sa_flags &= ~SA_RESTART;
    }
  else
    {
      __atomic_fetch_and (&interrupting, ~bit (number), __ATOMIC_RELAXED);
      action.sa_flags |= SA_RESTART;
    }
  return bbp_sigaction (number, &action, NULL);
}

/* System V: SIG_HOLD blocks the signal, everything else unblocks it; the result tells whether it
   was blocked. */
BBP_PUBLIC_WEAK handler
sigset (int number, handler function)
{
  struct sigaction old;
  if (!bit (number) || function == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  if (function == SIG_HOLD)
    {
      if (bbp_sigaction (number, NULL, &old) != 0)
        return SIG_ERR;
    }
  else if ((old.sa_handler = set_handler (number, function, 0, 0)) == SIG_ERR)
    return SIG_ERR;
  int blocked = bbp_sigmask_change_one (function == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, number);
  return blocked < 0 ? SIG_ERR : blocked ? SIG_HOLD : old.sa_handler;
}
