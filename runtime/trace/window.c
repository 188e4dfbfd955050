/* SPDX-License-Identifier: MIT */
/* Windows: a window lasts from a call of a function that the user selected to the end of that
   call.  Outside of windows a thread counts into scraps and records nothing (mode 0); calls of
   such functions inside a window change nothing.  Without a selection there is one window,
   always.  Context: hot, unless a function says otherwise. */
#include "arch.h"
#include "runtime/base/options.h"
#include "runtime/count/count.h"
#include "runtime/select/select.h"
#include "runtime/trace/trace.h"

/* The mode inside windows.  A separate bit lets entries, returns and landings detect the
   window's end when nothing is recorded. */
uint64_t
bbp_window_mode (void)
{
  uint64_t mode = (bbp_trace_is_wanted () ? BBP_MODE_LOST : 0)
                  | (bbp_options.jumps == BBP_YES ? BBP_MODE_JUMPS : 0)
                  | (bbp_selectors.opening ? BBP_MODE_WINDOW : 0);
  return mode && bbp_selectors.n ? mode | BBP_MODE_CHOICES : mode;
}

/* The calling thread was just attached, or has just read the user's selection.  Cold. */
void
bbp_window_begin (void)
{
  __bb.mode = bbp_selectors.opening ? 0 : bbp_window_mode ();
  bbp_levels_begin ();
}

/* Cold, lock held; once, when the first unit with trace points registers.  Jumps are counted
   unless the user said otherwise. */
void
bbp_window_start (void)
{
  bbp_trace_choose ();
  if (bbp_options.jumps == BBP_UNSAID)
    bbp_options.jumps = bbp_selectors.from_file || bbp_options.trace == BBP_YES ? BBP_NO : BBP_YES;
  bbp_threads_begin ();
}

/* A function with CHOICE is entered outside of all windows.  True: it opens one, and is the
   outermost level then. */
bool
bbp_window_open (unsigned choice)
{
  struct bbp_thread *thread = __bb_thread;
  if (!(choice & BBP_CHOICE_OPENS) || (!thread && !(thread = bbp_thread_attach ())))
    return false;
  bbp_thread_open (thread, true);
  __bb.source = 0;
  __bb.mode = bbp_window_mode ();
  return true;
}

/* The call that opened the window has ended.  If another thread has made this one attach again,
   that closes the window. */
void
bbp_window_close (void)
{
  __bb.mode = 0;
  if (__bb_thread)
    bbp_thread_open (__bb_thread, false);
}
