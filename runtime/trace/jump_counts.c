/* SPDX-License-Identifier: MIT */
/* Jumps around calls, which the map's edges do not tell (bbprof-abi.h), in the historic
   variants.  Each is counted as an arc of the thread's, with a mark and the variant in its FROM.
   And who has returned, or was left by a jump: the levels that are gone, and with them windows.
   Context: hot, by points.c and the assembler, but as said. */
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

/* The block that was executed last, and not hidden. */
static uintptr_t
last_block (void)
{
  const struct bbp_level *top = bbp_levels_top ();
  return is_hidden (top) ? top->kept : __bb.source;
}

/* BLOCK is what a jump would come from now; compiled code that is hidden writes its own blocks
   there. */
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

/* TOP, the innermost level, has ended; a jump would come from LAST now. */
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

/* Levels that are gone, as seen by a function that goes on with SP, or by one that is entered. */
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

/* A function with CHOICE is called, at SP; BACK: where its return address stands now, at SP, or
   0: it tells by itself when it returns.  False: nothing of it is recorded. */
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

/* Control goes on in BLOCK. */
void
bbp_jump_go (uintptr_t block)
{
  if (is_hidden (bbp_levels_top ()))
    return;
  count (__bb.source, block);
  __bb.source = block;
}

/* Control has come from anywhere to a function whose stack pointer is SP. */
void
bbp_jump_land (uintptr_t sp)
{
  for (const struct bbp_level *top;
       (top = bbp_levels_top ()) && bbp_level_is_gone (top, sp, false);)
    end_by_jump (top);
}

/* A call has returned to a function, whose stack pointer is SP. */
void
bbp_jump_return (uintptr_t sp)
{
  end_returned (sp, false);
}

/* The program's handler begins, in CONTEXT, from outside; then the thread goes on as it was.
   Signal. */
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

/* Whether what stands where LEVEL was called from is not its return address any more.  Its stack
   may be gone as well. */
static bool
is_overwritten (const struct bbp_level *level)
{
  uintptr_t back;
  return level->back
         && bbp_sys_read_own (&back, (const void *) level->sp, sizeof back) == sizeof back
         && back != level->back;
}

/* The calling thread ends, or writes the profile, and no function comes that would see which
   levels are gone.  One that has returned is known by its caller, which has called somebody else
   since.  Cold. */
void
bbp_jump_settle (void)
{
  for (const struct bbp_level *top;
       bbp_options.showret == BBP_YES && (top = bbp_levels_top ()) && is_overwritten (top);)
    end_by_return (top);
}
