/* SPDX-License-Identifier: MIT */
/* What ax records: trace, jumps, windows. */
#ifndef BBP_TRACE_H
#define BBP_TRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

#pragma GCC visibility push(hidden)

/* frames.c: the stack pointers, at their entries, of the active functions that have trace
   points, the innermost one last.  Writer: the thread, signals welcome.  The assembler knows
   this layout. */
struct bbp_frames {
  uintptr_t *top, *bottom, *limit; /* all null until there is memory */
  /* Of the memory; below BOTTOM are those that a handler has interrupted. */
  uintptr_t *start;
  uint64_t forgotten; /* below BOTTOM for want of room */
};
extern __thread struct bbp_frames bbp_frames __attribute__ ((tls_model ("initial-exec")));
void bbp_frames_keep (struct bbp_thread *); /* hot, like the following: the calling one attaches */
bool bbp_frames_have_room (size_t n);       /* for so many more */
void bbp_frames_enter (uintptr_t sp);
void bbp_frames_settle (uintptr_t sp); /* those below SP are gone */
static inline uint64_t
bbp_frames_depth (void)
{
  return bbp_frames.forgotten + (uint64_t) (bbp_frames.top - bbp_frames.bottom);
}

/* trace.c, jump_counts.c: hot, called by points.c.  SP: the point's stack pointer. */
void bbp_trace_enter (uintptr_t block, uintptr_t sp);
void bbp_trace_land (uintptr_t block, uintptr_t sp);
void bbp_trace_return (uintptr_t point, uintptr_t sp);
void bbp_trace_token (uintptr_t block);
void bbp_trace_bits (void);
void bbp_trace_block (uintptr_t block); /* of historic code */
static inline bool
bbp_is_traced (void)
{
  return __bb.mode & (BBP_MODE_TRACE | BBP_MODE_LOST);
}
/* The trace of the process (session.c), and the calling thread's part in it (streams.c). */
/* cold, lock held, but as said: whether there is to be one. */
void bbp_trace_choose (void);
/* A module has units with trace points. */
void bbp_trace_add_module (void);
void bbp_trace_object_leaves (const struct bbp_object *);
/* All is to be in the file that has been recorded. */
void bbp_trace_dump (void);
/* It ends where those are taken next. */
void bbp_trace_end_with_totals (void);
void bbp_trace_at_totals (void); /* threads wait */
void bbp_trace_end (bool by_exec);
/* After an end by exec, which has failed. */
void bbp_trace_resume (void);
void bbp_trace_forked (void);
bool bbp_trace_is_wanted (void); /* any */
/* any: other code may lie where some was. */
void bbp_trace_forget_code (void);
/* signal: a handler of the program's begins. */
void bbp_stream_suspend (const void *context);
void bbp_stream_resume (const void *context);  /* signal: it returns */
void bbp_stream_leave_handlers (uintptr_t sp); /* hot */
static inline void
bbp_leave_handlers (uintptr_t sp)
{
  if (__bb.mode & BBP_MODE_HANDLER)
    bbp_stream_leave_handlers (sp);
}
void bbp_stream_end (void);                    /* cold: the thread ends */
void bbp_stream_inherit (struct bbp_thread *); /* cold, lock held */
void bbp_stream_pause (bool pause);            /* any */
/* Who is stopped records nothing, all others do. */
void bbp_streams_stop (void);

/* trace_historic.c, plain_bb.c: where code of mode 2 says which block it has come to, before it
   calls.  Hot. */
/* __bb says it; false: what the calling thread does there does not count. */
bool bbp_named_take (void);
void bbp_named_keep (void);     /* signal: __bb says it, if the thread says something there */
void bbp_named_put_back (void); /* signal: what __bb says is said there again */

/* handlers.c: see struct bbp_signals_above. */
bool bbp_handler_begins (void *context, bool restarts);
void bbp_handler_ends (const void *context);

/* jump_counts.c */
bool bbp_jump_call (uintptr_t sp, unsigned choice, uintptr_t back);
void bbp_jump_land (uintptr_t sp);
void bbp_jump_return (uintptr_t sp);
void bbp_jump_go (uintptr_t block);
void bbp_jump_interrupt (const void *context); /* signal */
void bbp_jump_resume (const void *context);    /* the same */
void bbp_jump_settle (void);                   /* cold */

/* stack.c: the calling thread's own one; hot, but rare. */
struct bbp_stack {
  uintptr_t low, high; /* of the memory that is always there */
};
struct bbp_stack bbp_stack_find (void);

/* levels.c: the active calls that matter to windows and jumps.  Writer: the thread, signals
   welcome. */
struct bbp_level {
  uintptr_t sp;     /* at the call; of a handler: its context */
  uintptr_t source; /* the block that was executed last before */
  uintptr_t kept;   /* hidden: the one that was executed last, and is not */
  uintptr_t back;   /* what stood at SP: the return address; 0: not known */
  uintptr_t low;    /* in a handler on a stack of its own: where that begins; else 0 */
  unsigned flags;   /* BBP_LEVEL_... */
};
#define BBP_LEVEL_OPENER 1U  /* it has opened the window */
#define BBP_LEVEL_HIDDEN 2U  /* its blocks are not recorded */
#define BBP_LEVEL_HANDLER 4U /* not a call: the program's handler begins there */
struct bbp_levels {
  /* A stack pointer below BOUND has nothing to ask here as long as BACK stands at WHERE.  The
     assembler knows these three. */
  uintptr_t bound;
  const uintptr_t *where;
  uintptr_t back;
  size_t n;
  struct bbp_level *start; /* null: none yet */
  struct bbp_stack stack;  /* nothing if nobody needs to know */
};
extern __thread struct bbp_levels bbp_levels __attribute__ ((tls_model ("initial-exec")));
static inline struct bbp_level *
bbp_levels_top (void)
{
  return bbp_levels.n ? &bbp_levels.start[bbp_levels.n - 1] : NULL;
}
void bbp_levels_begin (void);            /* the calling thread knows what the user wants */
bool bbp_level_matters (unsigned flags); /* hot, like all of these */
void bbp_level_push (struct bbp_level);
void bbp_level_pop (void);
bool bbp_level_is_gone (const struct bbp_level *, uintptr_t sp, bool entered);

/* window.c */
void bbp_window_start (void);    /* cold, lock held */
void bbp_window_begin (void);    /* cold */
uint64_t bbp_window_mode (void); /* hot, like the following */
bool bbp_window_open (unsigned choice);
void bbp_window_close (void);

#pragma GCC visibility pop

#endif
