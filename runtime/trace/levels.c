/* SPDX-License-Identifier: MIT */
/* What of the thread's active calls matters to windows and jumps, the innermost one last:
   functions that have opened a window, hidden ones and whom they call, handlers of the
   program's; and all functions, if a variant of jumps asks who called.

   As with frames.c, nothing is done at returns: what is gone is found by whoever comes next.
   The hooks look at the *bound* only: a stack pointer below it means that the last level is
   still there and has nothing to say.  Context: hot, but as said. */
#include <stdint.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/select/select.h"
#include "runtime/trace/trace.h"

#define MOST ((size_t) 1 << 19)

__thread struct bbp_levels bbp_levels;

/* Whether jumps have to know of every call. */
static bool
all_matter (void)
{
  return bbp_options.hidecall == BBP_YES || bbp_options.showret == BBP_YES;
}

/* Whether the place that LEVEL was called from can be looked at, now and later. */
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

/* Memory of the thread's block, which goes with it to the next thread. */
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

/* Whether a call of a function with FLAGS is a level. */
bool
bbp_level_matters (unsigned flags)
{
  const struct bbp_level *top = bbp_levels_top ();
  return flags || all_matter () || (top && (top->flags & BBP_LEVEL_HIDDEN));
}

/* Valid when it is counted, because a handler may come at any moment; one that comes just before
   that has used the same place. */
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

/* Whether somebody else was called from where LEVEL was: code without trace points calls back
   from here and there. */
static bool
has_returned (const struct bbp_level *level)
{
  return is_on_stack (level) && *(const uintptr_t *) level->sp != level->back;
}

/* Whether LEVEL is gone if the stack pointer is SP in a function that has been entered before,
   or in one that is entered (ENTERED). */
bool
bbp_level_is_gone (const struct bbp_level *level, uintptr_t sp, bool entered)
{
  return level->sp < sp + entered || sp < level->low || (entered && has_returned (level));
}
