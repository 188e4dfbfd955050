/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks along one stream of a trace: bits and tokens lead through the control flow graphs
   (bbprof-abi.h, "what the stream says").  It does not use files or threads; the caller passes
   it one chunk after the other. */
#ifndef BBPROF_TRACE_WALK_H
#define BBPROF_TRACE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/streams/pieces_read.h"
#include "tools/decode/trace_graph.h"
#include "tools/decode/trace_objects.h"

/* A live call of a traced function. */
struct walk_frame {
  uint32_t block; /* current block; GRAPH_NO_BLOCK: unknown */
  uint32_t call;  /* index of the call in the block, from 0: the one that did not return yet */
  bool entered;   /* that call has entered the function that is expected */
  /* The run-time library's index of the live frame, from 1: ascending, with gaps, because the
     library cannot know which frames returned. */
  uint32_t index;
};

enum walk_state {
  /* The top frame is at its call, or behind the last one.  Without a frame, or in an unknown
     one: waits for a token. */
  WALK_CALLS,
  WALK_HEAD,  /* at the head of its block; the event was not returned yet */
  WALK_LANDS, /* in front of a block that records a landing */
};

enum walk_step {
  WALK_ENTER, /* as TRACE_... in trace_read.h; the top frame is new */
  WALK_BLOCK,
  WALK_LONE,  /* a lone block was executed: walk.left */
  WALK_LEAVE, /* the frame was removed; walk.left: its last block */
  WALK_LAND,
  WALK_RETURN,
  WALK_DRY, /* the data up to the limit is used up: set another limit, or pass another chunk */
  /* walk.why: what is invalid in the trace; the state of the walk is undefined then */
  WALK_WRONG,
  WALK_NO_MEMORY
};

/* How far a chunk may be read. */
struct walk_limit {
  size_t bits, tokens;
  /* block of the thread at that point; GRAPH_NO_BLOCK: unknown, or not traced code */
  uint32_t block;
  uint64_t address; /* of the thread, of the map; valid with a block */
  bool uncounted;   /* none of the block's code was executed */
};

struct walk {
  const struct graph *graph;
  struct walk_frame *frames; /* outermost first */
  size_t nframes, room;
  /* At most so many frames at the bottom are unchanged since the caller set this; without the
     top one. */
  size_t kept;
  /* Frames at the top that returned without a record; they are left before anything else. */
  size_t unheard;
  enum walk_state state;
  uint32_t left; /* WALK_LEAVE, WALK_LONE: the block */
  char why[128]; /* WALK_WRONG */
  /* the chunk, and how much of it was read */
  struct piece piece;
  struct trace_lookup lookup; /* maps the chunk's tokens */
  size_t bit, token;
  struct walk_limit limit;
};

/* Begins a stream without frames. */
void walk_begin (struct walk *, const struct graph *);
void walk_free (struct walk *);

/* Only the number of live frames, DEPTH, is known now.  False: no memory. */
bool walk_lose (struct walk *, uint32_t depth);

/* Continues with PIECE, up to its end; the caller keeps it until the next one. */
void walk_piece (struct walk *, const struct piece *, const struct trace_objects *);

/* The caller saved the frames: `kept' counts from now on. */
void walk_keep (struct walk *, size_t frames);

/* Makes one step. */
enum walk_step walk_next (struct walk *);

#endif
