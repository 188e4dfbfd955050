/* SPDX-License-Identifier: MIT */
/* The data that ax records: trace, jumps, windows. */
#ifndef BBP_TRACE_H
#define BBP_TRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

#pragma GCC visibility push(hidden)

/* frames.c: the stack pointers, at entry, of the active functions that have trace points, the
   innermost one last.  Writer: the thread, with signals enabled.  The assembler uses this
   layout. */
struct bbp_frames {
  uintptr_t *top, *bottom, *limit; /* all null until there is memory */
  /* Start of the memory; below BOTTOM are the frames that a handler has interrupted. */
  uintptr_t *start;
  uint64_t forgotten; /* number of frames dropped below BOTTOM, because there was no room */
};
extern __thread struct bbp_frames bbp_frames __attribute__ ((tls_model ("initial-exec")));
/* hot, like the following: the calling thread attaches */
void bbp_frames_keep (struct bbp_thread *);
bool bbp_frames_have_room (size_t n); /* for N more */
void bbp_frames_enter (uintptr_t sp);
void bbp_frames_settle (uintptr_t sp); /* removes those below SP */
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
void bbp_trace_block (uintptr_t block); /* a block of historic code */
static inline bool
bbp_is_traced (void)
{
  return __bb.mode & (BBP_MODE_TRACE | BBP_MODE_LOST);
}
/* The trace of the process (session.c), and the calling thread's part in it (streams.c). */
/* cold, lock held, unless a line says otherwise: decides whether there is a trace. */
void bbp_trace_choose (void);
/* A module has units with trace points. */
void bbp_trace_add_module (void);
void bbp_trace_object_unloads (const struct bbp_object *);
/* Everything recorded must get into the file. */
void bbp_trace_dump (void);
/* The trace ends when the next totals are taken. */
void bbp_trace_end_with_totals (void);
void bbp_trace_at_totals (void); /* threads pause */
void bbp_trace_end (bool by_exec);
/* After an end by exec, which has failed. */
void bbp_trace_resume (void);
void bbp_trace_forked (void);
bool bbp_trace_is_wanted (void); /* any */
/* any: other code may be mapped at known addresses. */
void bbp_trace_forget_code (void);
/* signal: a handler of the program's begins. */
void bbp_stream_suspend (const void *context);
void bbp_stream_resume (const void *context);  /* signal: the handler returns */
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
/* Stopped threads record nothing, all others do. */
void bbp_streams_stop (void);

/* trace_historic.c, plain_bb.c: code of mode 2 stores the block that it has reached before it
   calls.  Hot. */
/* The block is in __bb; false: what the calling thread does there must not count. */
bool bbp_named_take (void);
void bbp_named_keep (void);     /* signal: saves __bb, if the thread uses it */
void bbp_named_put_back (void); /* signal: restores __bb */

/* handlers.c: see struct bbp_signals_above. */
bool bbp_handler_begins (void *context, bool restarts);
void bbp_handler_ends (const void *context);

/* jump_counts.c */
bool bbp_jump_call (uintptr_t sp, unsigned choice, uintptr_t back);
void bbp_jump_land (uintptr_t sp);
void bbp_jump_return (uintptr_t sp);
void bbp_jump_go (uintptr_t block);
void bbp_jump_interrupt (const void *context); /* signal */
void bbp_jump_resume (const void *context);    /* signal */
void bbp_jump_settle (void);                   /* cold */

/* stack.c: the calling thread's own stack; hot, but rare. */
struct bbp_stack {
  uintptr_t low, high; /* the memory that is always mapped */
};
struct bbp_stack bbp_stack_find (void);

/* levels.c: the active calls that matter to windows and jumps.  Writer: the thread, with signals
   enabled. */
struct bbp_level {
  uintptr_t sp;     /* at the call; for a handler: its context */
  uintptr_t source; /* the last block executed before */
  uintptr_t kept;   /* in hidden code: the last executed block that is not hidden */
  uintptr_t back;   /* content of SP: the return address; 0: unknown */
  uintptr_t low;    /* in a handler with its own stack: where that begins; else 0 */
  unsigned flags;   /* BBP_LEVEL_... */
};
#define BBP_LEVEL_OPENER 1U  /* it has opened the window */
#define BBP_LEVEL_HIDDEN 2U  /* its blocks are not recorded */
#define BBP_LEVEL_HANDLER 4U /* not a call: the program's handler begins there */
struct bbp_levels {
  /* A stack pointer below BOUND needs nothing here while BACK is stored at WHERE.  The assembler
     uses these three fields. */
  uintptr_t bound;
  const uintptr_t *where;
  uintptr_t back;
  size_t n;
  struct bbp_level *start; /* null: none yet */
  struct bbp_stack stack;  /* zeros if not needed */
};
extern __thread struct bbp_levels bbp_levels __attribute__ ((tls_model ("initial-exec")));
static inline struct bbp_level *
bbp_levels_top (void)
{
  return bbp_levels.n ? &bbp_levels.start[bbp_levels.n - 1] : NULL;
}
void bbp_levels_begin (void);            /* the calling thread knows the user's selection */
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
