/* SPDX-License-Identifier: MIT */
/* The thread's active functions with trace points, as a *shadow stack* of their stack pointers at
   entry, which only grows down as the stack does.  Nothing is done at returns.  The frame of a
   function that has returned, or was left by a jump, is removed by the next trace point with a
   higher stack pointer.

   The memory never moves, because hooks hold pointers into it when a signal comes.  A handler of
   the program has its own frames, above a new bottom (streams.c).  Context: hot. */
#include "runtime/base/base.h"
#include "runtime/trace/trace.h"

#define FRAMES ((size_t) 1 << 19)

__thread struct bbp_frames bbp_frames;

/* A thread that attaches again gets another block, and keeps its frames. */
void
bbp_frames_keep (struct bbp_thread *thread)
{
  if (bbp_frames.start)
    thread->frames = bbp_frames.start;
}

/* The memory stays with the thread's block, for the next thread. */
static void
make (struct bbp_frames *frames)
{
  struct bbp_thread *thread = __bb_thread;
  if (!thread)
    return;
  if (!thread->frames)
    thread->frames = bbp_pages_map (FRAMES * sizeof *frames->start);
  frames->start = thread->frames;
  if (!frames->start)
    return;
  frames->top = frames->bottom = frames->start;
  frames->limit = frames->start + FRAMES;
}

/* The oldest frames are dropped, but still counted. */
static void
forget (struct bbp_frames *frames)
{
  size_t n = (size_t) (frames->top - frames->bottom), gone = (n + 1) / 2;
  bbp_copy_bytes (frames->bottom, frames->bottom + gone, (n - gone) * sizeof *frames->top);
  frames->forgotten += gone;
  frames->top -= gone;
}

static void
make_room (struct bbp_frames *frames)
{
  bbp_sigset old = bbp_signals_block ();
  if (frames->start)
    forget (frames);
  else
    make (frames);
  bbp_signals_restore (old);
}

bool
bbp_frames_have_room (size_t n)
{
  struct bbp_frames *frames = &bbp_frames;
  if ((size_t) (frames->limit - frames->top) < n)
    make_room (frames);
  return (size_t) (frames->limit - frames->top) >= n;
}

void
bbp_frames_settle (uintptr_t sp)
{
  struct bbp_frames *frames = &bbp_frames;
  while (frames->top > frames->bottom && frames->top[-1] < sp)
    frames->top--;
}

void
bbp_frames_enter (uintptr_t sp)
{
  struct bbp_frames *frames = &bbp_frames;
  bbp_frames_settle (sp + 1);
  if (frames->top == frames->limit)
    make_room (frames);
  if (frames->top < frames->limit)
    *frames->top++ = sp;
}
