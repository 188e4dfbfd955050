/* SPDX-License-Identifier: MIT */
/* Jumps around calls, which are no edges of the map (bbprof-abi.h), in the historic variants.
   Each counts as an arc of the thread, with a mark and the variant in its FROM.  Also removes
   levels of functions that have returned, or were left by a jump, and ends their windows.
   Context: hot, called by points.c and the assembler, unless a function says otherwise. */
#include "arch.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/select/select.h"
#include "runtime/trace/trace.h"

static bool
is_hidden (const struct bbp_level *level)
{
  return level && (level->flags & BBP_LEVEL_HIDDEN);
}

/* The last executed block that is not hidden. */
static uintptr_t
last_block (void)
{
  const struct bbp_level *top = bbp_levels_top ();
  return is_hidden (top) ? top->kept : __bb.source;
}

/* BLOCK is the source of the next jump.  Hidden compiled code writes its own blocks there. */
static void
set_last_block (uintptr_t block)
{
  struct bbp_level *top = bbp_levels_top ();
  __bb.source = block;
  if (is_hidden (top))
    top->kept = block;
}

static uintptr_t
variant (void)
{
  return (bbp_options.hidecall == BBP_YES ? BBX_JUMPS_HIDECALL : 0)
         | (bbp_options.showret == BBP_YES ? BBX_JUMPS_SHOWRET : 0);
}

static void
count (uintptr_t from, uintptr_t to)
{
  if (bbp_options.jumps == BBP_YES)
    bbp_arc_slow (from | BBP_ARC_JUMP | variant () << BBP_ARC_VARIANT, to ? to : BBP_OUTSIDE_JUMP);
}

/* Removes TOP, the innermost level, which has ended; LAST is the source of the next jump. */
static void
end (const struct bbp_level *top, uintptr_t last)
{
  bool opener = top->flags & BBP_LEVEL_OPENER;
  bbp_level_pop ();
  set_last_block (last);
  if (opener)
    bbp_window_close ();
}

static void
end_by_jump (const struct bbp_level *top)
{
  end (top, last_block ());
}

static void
end_by_return (const struct bbp_level *top)
{
  uintptr_t last = last_block ();
  if (bbp_options.showret == BBP_YES && !is_hidden (top))
    count (last, top->source);
  end (top, variant () ? top->source : last);
}

/* Removes levels that have ended, as seen by a function that continues with SP, or by one that
   is entered. */
static void
end_returned (uintptr_t sp, bool entered)
{
  for (const struct bbp_level *top;
       (top = bbp_levels_top ()) && bbp_level_is_gone (top, sp, entered);)
    if (top->flags & BBP_LEVEL_HANDLER)
      end_by_jump (top);
    else
      end_by_return (top);
}

/* Called when a function with CHOICE is called, at SP.  BACK: its return address, which stays at SP
   until it returns; 0: nothing is known of that.  False: it is not recorded. */
bool
bbp_jump_call (uintptr_t sp, unsigned choice, uintptr_t back)
{
  end_returned (sp, true);
  bool outside = bbp_selectors.opening && !__bb.mode;
  if (outside && !bbp_window_open (choice))
    return false;
  uintptr_t from = last_block (), source = bbp_options.hidecall == BBP_YES ? 0 : from;
  unsigned flags = (outside ? BBP_LEVEL_OPENER : 0)
                   | (choice & BBP_CHOICE_HIDDEN ? BBP_LEVEL_HIDDEN : 0);
  if (bbp_level_matters (flags))
    bbp_level_push ((struct bbp_level) {
        .sp = sp, .source = from, .kept = source, .back = back, .flags = flags });
  __bb.source = source;
  return true;
}

/* Control continues in BLOCK. */
void
bbp_jump_go (uintptr_t block)
{
  if (is_hidden (bbp_levels_top ()))
    return;
  count (__bb.source, block);
  __bb.source = block;
}

/* Called when control comes, from anywhere, to a function with stack pointer SP. */
void
bbp_jump_land (uintptr_t sp)
{
  for (const struct bbp_level *top;
       (top = bbp_levels_top ()) && bbp_level_is_gone (top, sp, false);)
    end_by_jump (top);
}

/* A call has returned to a function with stack pointer SP. */
void
bbp_jump_return (uintptr_t sp)
{
  end_returned (sp, false);
}

/* Called when a handler of the program begins, with CONTEXT, from outside; afterwards the thread
   continues as before.  Signal. */
void
bbp_jump_interrupt (const void *context)
{
  if (!bbp_window_mode ())
    return;
  bbp_level_push ((struct bbp_level) { .sp = (uintptr_t) context,
                                       .source = last_block (),
                                       .low = bbp_arch_other_stack (context),
                                       .flags = BBP_LEVEL_HANDLER });
  __bb.source = 0;
}

void
bbp_jump_resume (const void *context)
{
  size_t n = bbp_levels.n;
  while (n && bbp_levels.start[n - 1].sp != (uintptr_t) context)
    n--;
  if (!n)
    return;
  const struct bbp_level *handler = &bbp_levels.start[n - 1];
  while (bbp_levels.n > n)
    end_by_return (bbp_levels_top ());
  end (handler, handler->source);
}

/* True if the return address of LEVEL was overwritten.  Its stack may be unmapped as well. */
static bool
is_overwritten (const struct bbp_level *level)
{
  uintptr_t back;
  return level->back
         && bbp_sys_read_own (&back, (const void *) level->sp, sizeof back) == sizeof back
         && back != level->back;
}

/* Called when the calling thread ends, or writes the profile.  No later function will notice which
   levels have ended.  A level has returned if its caller has called another function since.
   Cold. */
void
bbp_jump_settle (void)
{
  for (const struct bbp_level *top;
       bbp_options.showret == BBP_YES && (top = bbp_levels_top ()) && is_overwritten (top);)
    end_by_return (top);
}
