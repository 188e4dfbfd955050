/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a trace (gmon.out.bbt): decoded events of each thread.  The only header that code which
   shows a trace needs. */
#ifndef BBPROF_TOOLS_TRACE_H
#define BBPROF_TOOLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* An open file: objects, their maps, streams. */
struct trace;

/* Null: no usable trace, and ERR has the reason.  Otherwise WARNINGS lists problems.  ANY_BUILD:
   the program may be another build than the traced one. */
struct trace *trace_open (const char *path, bool any_build, struct warnings *, struct error *);
void trace_close (struct trace *); /* null is allowed */

/* The run id, which the profile has too. */
uint64_t trace_run (const struct trace *);

/* Whether something in the file is wrong, of which trace_open has warned, other than that it ends
   too early, as the file of a process that was killed does. */
bool trace_is_damaged (const struct trace *);

/* How many blocks per thread the recording kept, the last ones; 0: all.  The file may have more. */
uint64_t trace_window (const struct trace *);

struct trace_function {
  const char *name;                 /* demangled, as in other reports; "?" without a symbol */
  const char *symbol;               /* the linker's name */
  const char *object;               /* path of its object */
  const struct trace_block *blocks; /* sorted by index */
  unsigned nblocks;
  unsigned number; /* from 0, without gaps, over all functions of the trace */
};

/* Blocks are equal if their pointers are equal. */
struct trace_block {
  uint64_t address; /* link-time address, as bbprof blocks prints it */
  uint64_t end;     /* exclusive, as far as known */
  const struct trace_function *function;
  unsigned index; /* in its function, from 0, the entry */
  /* from 0, without gaps, over all blocks of the trace; an index for tables */
  unsigned number;
  unsigned nsuccessors; /* successors in its function */
  unsigned ways;        /* `nways', plus one if the block can also leave the function */
};

/* The count: one more than the highest number. */
size_t trace_blocks (const struct trace *);
size_t trace_functions (const struct trace *);
const struct trace_function *trace_function (const struct trace *, unsigned number);

/* The source file of a block, and *LINE of its first byte; null: unknown.  Looked up at each
   call. */
const char *trace_line (const struct trace *, const struct trace_block *, unsigned *line);

enum trace_kind {
  /* A function is entered: BLOCK is its first block.  A TRACE_BLOCK for it follows. */
  TRACE_ENTER,
  TRACE_BLOCK, /* BLOCK is executed */
  TRACE_LEAVE, /* the top frame returns, or makes a tail call; BLOCK: where */
  /* Control lands in BLOCK and the frames above DEPTH are gone (exception, longjmp, computed
     goto).  A TRACE_BLOCK follows. */
  TRACE_LAND,
  /* A call in BLOCK returned, from a frame that was unknown so far (see TRACE_LOST), or from one
     on another stack (swapcontext). */
  TRACE_RETURN,
  /* a signal handler begins: the events up to its TRACE_SIGNAL_END belong to it */
  TRACE_SIGNAL,
  TRACE_SIGNAL_END, /* a signal handler ends; CUT: as far as known it did not return */
  /* Recording was lost here, or begins in the middle: the frames are unknown. */
  TRACE_LOST,
  TRACE_END /* the stream ends; CUT: in the middle (process killed, file torn) */
};

struct trace_event {
  enum trace_kind kind;
  bool cut;
  const struct trace_block *block; /* null: none */
  unsigned depth;                  /* frames on the stack, including this one */
  /* TRACE_BLOCK: number of the block in its thread, from 0.  Else that of the next one. */
  uint64_t number;
  uint64_t time; /* ns since the trace's start, interpolated between marks; never falls */
  /* TRACE_LOST: what is wrong in the file, one line without its end; null: the file itself says
     that something is missing.  Valid until the next event. */
  const char *why;
};

struct trace_thread {
  unsigned number; /* from 0, in order of the threads' starts */
  int tid;
  const char *name;
  uint64_t start, end; /* ns since the trace's start */
};
size_t trace_threads (const struct trace *, const struct trace_thread **);

/* A cursor over one thread's events in order, with those of the handlers that interrupted it.  A
   trace may have several cursors. */
struct trace_cursor;
struct trace_cursor *trace_begin (struct trace *, unsigned thread); /* null: no memory */
/* false: behind TRACE_END */
bool trace_next (struct trace_cursor *, struct trace_event *);
void trace_cursor_free (struct trace_cursor *);

/* Moves to a checkpoint before the target and continues from there.  The next event is the
   block's TRACE_BLOCK, or one directly before it; for a time, the first event at or after it.
   False: the thread ends before that. */
bool trace_seek_block (struct trace_cursor *, uint64_t number);
bool trace_seek_time (struct trace_cursor *, uint64_t ns);
uint64_t trace_position (const struct trace_cursor *); /* Number of the next block. */

/* The current block of each frame, outermost first; null: unknown.  Valid until the cursor
   moves. */
size_t trace_stack (const struct trace_cursor *, const struct trace_block *const **frames);

#endif
