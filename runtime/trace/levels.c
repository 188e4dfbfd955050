/* SPDX-License-Identifier: MIT */
/* The *levels*: the thread's active calls that matter to windows and jumps, the innermost one
   last.  These are functions that opened a window, hidden functions and those that they call,
   and handlers of the program.  If a variant of jumps needs the callers, all functions are
   levels.

   As in frames.c, nothing is done at returns: the next trace point removes levels that have
   ended.  The hooks test only the *bound*: a stack pointer below it means that the last level is
   still active and needs nothing.  Context: hot, unless a function says otherwise. */
#include <stdint.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/select/select.h"
#include "runtime/trace/trace.h"

#define MOST ((size_t) 1 << 19)

__thread struct bbp_levels bbp_levels;

/* True if jumps need each call. */
static bool
all_matter (void)
{
  return bbp_options.hidecall == BBP_YES || bbp_options.showret == BBP_YES;
}

/* True if the memory with the return address of LEVEL can be read, now and later. */
static bool
is_on_stack (const struct bbp_level *level)
{
  const struct bbp_stack *stack = &bbp_levels.stack;
  return level->back && level->sp - stack->low < stack->high - stack->low;
}

static void
set_bound (void)
{
  const struct bbp_level *top = bbp_levels_top ();
  bbp_levels.back = top ? top->back : 0;
  bbp_levels.where = top && is_on_stack (top) ? (const uintptr_t *) top->sp : &bbp_levels.back;
  if (all_matter () || (top && (top->low || (top->flags & BBP_LEVEL_HIDDEN))))
    bbp_levels.bound = 0;
  else
    bbp_levels.bound = top ? top->sp : UINTPTR_MAX;
}

/* Memory of the thread's block, which the next thread with that block gets, too. */
static bool
make (void)
{
  struct bbp_thread *thread = __bb_thread;
  if (bbp_levels.start || !thread)
    return bbp_levels.start;
  if (!thread->levels)
    thread->levels = bbp_pages_map (MOST * sizeof *thread->levels);
  if ((all_matter () || bbp_selectors.opening) && thread->levels)
    bbp_levels.stack = bbp_stack_find ();
  bbp_levels.start = thread->levels;
  return bbp_levels.start;
}

void
bbp_levels_begin (void)
{
  set_bound ();
}

/* True if a call of a function with FLAGS is a level. */
bool
bbp_level_matters (unsigned flags)
{
  const struct bbp_level *top = bbp_levels_top ();
  return flags || all_matter () || (top && (top->flags & BBP_LEVEL_HIDDEN));
}

/* The level is written before it is counted, because a handler may come at any moment; a handler
   that comes just before the count has used the same place. */
void
bbp_level_push (struct bbp_level level)
{
  const struct bbp_level *top = bbp_levels_top ();
  if (!level.low && top)
    level.low = top->low;
  if (!make () || bbp_levels.n == MOST)
    {
      bbp.inexact = true;
      return;
    }
  struct bbp_level *new = &bbp_levels.start[bbp_levels.n];
  *new = level;
  __atomic_store_n (&bbp_levels.n, bbp_levels.n + 1, __ATOMIC_RELEASE);
  *new = level;
  set_bound ();
}

void
bbp_level_pop (void)
{
  bbp_levels.n--;
  set_bound ();
}

/* True if another function was called from the place of LEVEL: code without trace points may
   call several times from one place. */
static bool
has_returned (const struct bbp_level *level)
{
  return is_on_stack (level) && *(const uintptr_t *) level->sp != level->back;
}

/* True if LEVEL has ended, seen by a function with stack pointer SP, which was entered before,
   or is entered now (ENTERED). */
bool
bbp_level_is_gone (const struct bbp_level *level, uintptr_t sp, bool entered)
{
  return level->sp < sp + entered || sp < level->low || (entered && has_returned (level));
}
