/* SPDX-License-Identifier: MIT */
/* The handler wrapper: sigaction.c installs it for each handler that the program sets.  It calls
   the program's handler exactly as the kernel would, and records interruptions.  Interrupted code
   may never be resumed (siglongjmp, exit in a handler, a changed context): it has entered a block
   and not left it, which no counter shows.

   So each interruption is recorded, and each return from it (handlers.c).

   Not recorded: handlers set by bare system calls or before the library's start, libc's own for
   thread cancellation, and a second signal within the few instructions before the record.  Context:
   signal. */
#include <signal.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/signals/signals.h"

/* The program's last settings by signal.  Words, each atomic.  HANDLER never becomes 0 again: a
   signal may be in delivery while the program sets the default. */
static struct {
  uintptr_t handler, once, restarts, plain, blocked_tick;
} program[BBP_LAST_SIGNAL + 1];

void
bbp_wrapper_set (int number, const struct bbp_wrapped *wrapped)
{
  __atomic_store_n (&program[number].handler, wrapped->handler, __ATOMIC_RELAXED);
  __atomic_store_n (&program[number].once, wrapped->once, __ATOMIC_RELAXED);
  __atomic_store_n (&program[number].restarts, wrapped->restarts, __ATOMIC_RELAXED);
  __atomic_store_n (&program[number].plain, wrapped->plain, __ATOMIC_RELAXED);
  __atomic_store_n (&program[number].blocked_tick, wrapped->blocked_tick, __ATOMIC_RELAXED);
}

struct bbp_wrapped
bbp_wrapper_get (int number)
{
  return (struct bbp_wrapped) { __atomic_load_n (&program[number].handler, __ATOMIC_RELAXED),
                                __atomic_load_n (&program[number].once, __ATOMIC_RELAXED),
                                __atomic_load_n (&program[number].restarts, __ATOMIC_RELAXED),
                                __atomic_load_n (&program[number].plain, __ATOMIC_RELAXED),
                                __atomic_load_n (&program[number].blocked_tick, __ATOMIC_RELAXED) };
}

/* The program's pc in CONTEXT, also if the interrupted code was in one of the library's hooks for
   an indirect call or a trace point. */
uintptr_t
bbp_program_pc (const void *context)
{
  for (const void *under; (under = bbp_arch_wrapped_context (context));)
    context = under;
  uintptr_t pc = bbp_arch_pc (context);
  if (bbp_point_caller && pc - bbp.own_low < bbp.own_high - bbp.own_low)
    return bbp_point_caller;
  uintptr_t caller = bbp_arch_hook_caller (context);
  return caller ? caller : pc;
}

/* Context: signal, in the thread that CONTEXT interrupted; before anything reads its trace. */
void
bbp_program_settle (void *context)
{
  for (const void *under; (under = bbp_arch_wrapped_context (context));)
    context = (void *) under;
  if (bbp_arch_roll_forward (context, bbp_has_map (bbp_arch_pc (context))))
    __bb.bits = 1;
}

bool
bbp_has_map (uintptr_t pc)
{
  uintptr_t low = __atomic_load_n (&bbp.mapped_low, __ATOMIC_RELAXED);
  return pc - low < __atomic_load_n (&bbp.mapped_high, __ATOMIC_RELAXED) - low;
}

/* Kept while the program's handler runs: the address of the context, plus these flags. */
#define NOTED ((uintptr_t) 1)
#define ABORTS ((uintptr_t) 2) /* if the handler returns, abort ends the process inside libc */
#define FLAGS ((uintptr_t) 3)

struct entered {
  uintptr_t handler, word;
};
struct entered bbp_wrapper_enter (int number, void *context); /* both: wrapper_entry.S */
void bbp_wrapper_leave (uintptr_t word);

/* Called instead of the program's handler for a signal that is not the program's. */
static void
ignore_signal (int number)
{
  (void) number;
}

/* True if PC may be in code that counts: compiled with the plugin, or a hook. */
static bool
may_count (uintptr_t pc)
{
  return bbp_has_map (pc) || pc - bbp.own_low < bbp.own_high - bbp.own_low;
}

/* After a handler with SA_RESETHAND the signal has its default action again, which the library's
   handler replaces. */
struct entered
bbp_wrapper_enter (int number, void *context)
{
  struct bbp_wrapped wrapped = bbp_wrapper_get (number);
  if (may_count (bbp_arch_pc (context)))
    bbp_arch_roll_back (context);
  bbp_program_settle (context);
  if (number == SIGSEGV && !wrapped.once && bbp_signals_above.counted (context))
    return (struct entered) { (uintptr_t) ignore_signal, 0 };
  struct entered entered
      = { wrapped.handler, (uintptr_t) context | (number == SIGABRT ? ABORTS : 0) };
  if (bbp_signals_above.handler_begins (context, wrapped.restarts))
    entered.word |= NOTED;
  if (wrapped.once && bbp_signal_is_watched (number) && bbp_own_process ())
    bbp_signal_adopt (number);
  return entered;
}

void
bbp_wrapper_leave (uintptr_t word)
{
  bbp_signals_above.handler_returns ();
  if ((word & ABORTS) && bbp_own_process ())
    bbp_signals_above.aborts ();
  if (word & NOTED)
    bbp_signals_above.handler_ends ((const void *) (word & ~FLAGS));
}
