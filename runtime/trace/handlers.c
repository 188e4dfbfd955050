/* SPDX-License-Identifier: MIT */
/* Counting and tracing at the program's signal handlers (called by handler_wrapper.c).

   Each interruption, and each return from it, counts as an arc of the thread, from a special
   mark to the interrupted address.  Like all counts, these only grow; their difference is in
   flight (totals.c), now or for ever.  This also covers interrupted handlers, threads, forks,
   and live files.  Context: signal. */
#include "runtime/count/count.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/trace/trace.h"

/* A stopped thread counts nothing. */
static void
note (struct bbp_thread *thread, uintptr_t mark, const void *context)
{
  uintptr_t pc = bbp_program_pc (context);
  if (!bbp_thread_is_apart (thread) && bbp_has_map (pc))
    bbp_arc_note (thread, mark, pc);
}

bool
bbp_handler_begins (void *context, bool restarts)
{
  struct bbp_thread *thread = bbp_thread_interrupted ();
  bbp_named_keep ();
  if (thread)
    {
      bbp_pause_sleep_begins (thread, 0);
      note (thread, BBP_ARC_INTERRUPTED, context);
      bbp_jump_interrupt (context);
      bbp_stream_suspend (context);
    }
  bbp_restart_cancel (context, restarts);
  return thread != NULL;
}

/* Meanwhile another thread may have made this one attach again. */
void
bbp_handler_ends (const void *context)
{
  struct bbp_thread *thread = __bb_thread ? __bb_thread : bbp_thread_attach ();
  if (!thread)
    return;
  bbp_stream_resume (context);
  bbp_jump_resume (context);
  note (thread, BBP_ARC_RESUMED, context);
}
