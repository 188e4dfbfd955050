/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a trace, gmon.out.bbt: the events of each thread, decoded.  Whoever shows a trace
   needs this header only. */
#ifndef BBPROF_TOOLS_TRACE_H
#define BBPROF_TOOLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* An open file: objects, their maps, streams. */
struct trace;

/* Null, with ERR's text, if there is no trace to show; else what its readers should know is in
   WARNINGS.  ANY_BUILD: the program may be another build than the one that was traced. */
struct trace *trace_open (const char *path, bool any_build, struct warnings *, struct error *);
void trace_close (struct trace *); /* null: nothing to do */

/* The number of the run, as its profile has it. */
uint64_t trace_run (const struct trace *);

/* How many blocks of each thread were to be kept, the last ones; 0: all.  There may be more, of
   each. */
uint64_t trace_window (const struct trace *);

struct trace_function {
  const char *name;   /* demangled, as the other reports do; of code without symbols: "?" */
  const char *symbol; /* as the linker knows it */
  const char *object; /* path of the file that it is in */
  const struct trace_block *blocks; /* by index */
  unsigned nblocks;
  unsigned number; /* dense, from 0, over all functions of the trace */
};

/* Equal pointers are equal blocks. */
struct trace_block {
  uint64_t address; /* of link time, as bbprof blocks prints it */
  uint64_t end;     /* exclusive, as far as known */
  const struct trace_function *function;
  unsigned index;       /* in its function, from 0, which is the entry */
  unsigned number;      /* dense, from 0, over all blocks of the trace: for tables */
  unsigned nsuccessors; /* blocks of its function to which it may go on */
  unsigned ways;        /* these, and the way out if it has one besides */
};

/* How many there are: one more than the highest number. */
size_t trace_blocks (const struct trace *);
size_t trace_functions (const struct trace *);
const struct trace_function *trace_function (const struct trace *, unsigned number);

/* The source file of a block, null if it is not known; *LINE of its first byte.  Looked up at
   each call. */
const char *trace_line (const struct trace *, const struct trace_block *, unsigned *line);

enum trace_kind {
  /* A function is entered: BLOCK is its first block (a TRACE_BLOCK for it follows). */
  TRACE_ENTER,
  TRACE_BLOCK, /* BLOCK is executed */
  TRACE_LEAVE, /* the top frame returns, or makes a tail call; BLOCK: where */
  /* Control lands in BLOCK, frames above DEPTH are gone (exception, longjmp, computed goto); a
     TRACE_BLOCK follows. */
  TRACE_LAND,
  /* A call in BLOCK has returned, of a frame that was not known so far (see TRACE_LOST), or of
     one on another stack (swapcontext). */
  TRACE_RETURN,
  TRACE_SIGNAL,     /* a handler begins: the events up to its TRACE_SIGNAL_END are its own */
  TRACE_SIGNAL_END, /* CUT: it has not returned, as far as is known */
  /* Recording has been lost here, or begins in the middle: frames are not known. */
  TRACE_LOST,
  TRACE_END /* the stream ends; CUT: in the middle (killed, torn) */
};

struct trace_event {
  enum trace_kind kind;
  bool cut;
  const struct trace_block *block; /* null: none */
  unsigned depth;                  /* frames on the stack, this one included */
  /* Of the block in its thread, from 0 (TRACE_BLOCK); else that of the next one. */
  uint64_t number;
  uint64_t time; /* ns since the trace's start, interpolated between marks; never falls */
  /* TRACE_LOST: what in the file is not as it has to be, a line without its end; null: it says
     itself that something is missing.  Good until the next event. */
  const char *why;
};

struct trace_thread {
  unsigned number; /* from 0, in the order of their beginning */
  int tid;
  const char *name;
  uint64_t start, end; /* ns since the trace's start */
};
size_t trace_threads (const struct trace *, const struct trace_thread **);

/* A cursor over one thread's events, in order, with the handlers that interrupted it.  Any
   number at a time. */
struct trace_cursor;
struct trace_cursor *trace_begin (struct trace *, unsigned thread); /* null: memory is short */
/* false: nothing behind TRACE_END. */
bool trace_next (struct trace_cursor *, struct trace_event *);
void trace_cursor_free (struct trace_cursor *);

/* Seeking goes to a checkpoint before the place, and on from there.  The next event is then that
   block's TRACE_BLOCK, or what precedes it directly; of a time: the first event that is not
   before it.  False: the thread ends before that. */
bool trace_seek_block (struct trace_cursor *, uint64_t number);
bool trace_seek_time (struct trace_cursor *, uint64_t ns);
uint64_t trace_position (const struct trace_cursor *); /* number of the next block */

/* The current block of each frame, outermost first; null: not known.  Good until the cursor is
   moved. */
size_t trace_stack (const struct trace_cursor *, const struct trace_block *const **frames);

#endif
