/* SPDX-License-Identifier: MIT */
/* Recognises user-level threads (swapcontext, goroutines, coroutines with stacks of their own),
   which take turns on one of the kernel's threads.  A sample then finds a stack with which this
   thread was not created.

   A thread has one outermost call, and that stays at its place.  So a stack is judged by where
   it ends, not by where the thread is.  A handler's alternate stack, and the parts of a split
   stack, lead back to the outermost call.  A stack that is cut is judged only if neither of
   these can be the reason.  Context: signal. */
#include "arch.h"
#include "runtime/sample/sample.h"
#include "runtime/unwind/unwind.h"

#define NEAR 1024 /* bytes within which the outermost call may push */

static bool
is_on_alternate_stack (const void *context, uintptr_t sp)
{
  const stack_t *stack = &((const ucontext_t *) context)->uc_stack;
  return sp - (uintptr_t) stack->ss_sp <= stack->ss_size;
}

/* For a thread with an unknown stack. */
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
