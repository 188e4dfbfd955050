/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk along one stream of a trace: bits and tokens lead through the control flow graphs
   (bbprof-abi.h, "what the stream says").  Knows neither files nor threads: it is given one
   piece after the other. */
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
  uint32_t block; /* where it is; GRAPH_NO_BLOCK: not known */
  uint32_t call;  /* of the block, from 0: the one that has not yet returned */
  /* As the run-time library counts live frames, from 1: ascending, but not without gaps, because
     it cannot know which ones have returned. */
  uint32_t index;
};

enum walk_state {
  /* The top frame is at its call, or behind the last one; if there is no frame, or nobody knows
     it: waits for a token. */
  WALK_CALLS,
  WALK_HEAD,  /* ... at the head of its block, which has not been told yet */
  WALK_LANDS, /* ... in front of a block that tells that it is landed at */
};

enum walk_step {
  WALK_ENTER, /* what TRACE_... say in trace_read.h: the top frame is new */
  WALK_BLOCK,
  WALK_LONE,  /* a lone block has been executed: walk.left */
  WALK_LEAVE, /* the frame has been taken away: walk.left says where it was */
  WALK_LAND,
  WALK_RETURN,
  WALK_DRY, /* nothing is left up to the limit: give it another one, or another piece */
  /* walk.why says what the trace says that cannot be; the state of the walk means nothing any
     more. */
  WALK_WRONG,
  WALK_NO_MEMORY
};

/* How far a piece may be read. */
struct walk_limit {
  size_t bits, tokens;
  uint32_t block; /* the thread is there then; GRAPH_NO_BLOCK: not known, or not in traced code */
  bool in_front;  /* and has not executed anything of it */
};

struct walk {
  const struct graph *graph;
  struct walk_frame *frames; /* outermost first */
  size_t nframes, room;
  /* Frames at the bottom that have not changed since the caller has set it, at most; the top one
     is none of them. */
  size_t kept;
  /* Frames at the top that have returned unheard, and are to be left before anything else. */
  size_t unheard;
  enum walk_state state;
  uint32_t left; /* WALK_LEAVE, WALK_LONE: the block */
  char why[128]; /* WALK_WRONG */
  /* The piece, and how much of it has been read. */
  struct piece piece;
  struct trace_places places; /* of its tokens */
  size_t bit, token;
  struct walk_limit limit;
};

/* Begins a stream: no frame. */
void walk_begin (struct walk *, const struct graph *);
void walk_free (struct walk *);

/* From here on, only that DEPTH frames are live is known.  False if memory is short. */
bool walk_lose (struct walk *, uint32_t depth);

/* Goes on with PIECE, which stays until the next one; up to its end. */
void walk_piece (struct walk *, const struct piece *, const struct trace_objects *);

/* The caller has noted the frames: from here on `kept' says how many at the bottom are as they
   were. */
void walk_keep (struct walk *, size_t frames);

/* One step. */
enum walk_step walk_next (struct walk *);

#endif
