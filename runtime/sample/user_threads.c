/* SPDX-License-Identifier: MIT */
/* Threads of the program's own making (swapcontext, goroutines, coroutines on stacks of their
   own), which take turns on a thread of the kernel's: the stack that a sample finds is none that
   this thread was born with.

   A thread has one outermost call, and that stays where it is.  So a stack is judged by where it
   ends, not by where the thread is: a handler's alternate stack, and the pieces of a stack that
   is split, lead back to it.  A stack that is cut is judged only if such a stack cannot be the
   reason.  Context: signal. */
#include "arch.h"
#include "runtime/sample/sample.h"
#include "runtime/unwind/unwind.h"

#define NEAR 1024 /* bytes, among which the outermost call may push something */

static bool
is_on_alternate_stack (const void *context, uintptr_t sp)
{
  const stack_t *stack = &((const ucontext_t *) context)->uc_stack;
  return sp - (uintptr_t) stack->ss_sp <= stack->ss_size;
}

/* Of a thread of which nobody has told where its stack is. */
static bool
is_at_home (struct bbp_sampled *thread, uintptr_t sp)
{
  if (!thread->home)
    thread->home = sp;
  return sp - thread->home + NEAR <= 2 * NEAR;
}

bool
bbp_stack_is_of_user_thread (struct bbp_sampled *thread, const void *context,
                             const struct bbp_unwound *stack)
{
  if (!thread->tid || !stack->n
      || stack->sp - thread->stack_low < thread->stack_high - thread->stack_low
      || is_on_alternate_stack (context, stack->sp))
    return false;
  if (stack->whole)
    return thread->stack_high || !is_at_home (thread, stack->sp);
  return thread->stack_high && !bbp_arch_splits_stack ();
}
