/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of struct trace: an open file and the program's model. trace_read.c reads it
   once; cursors and reports only use it. */
#ifndef BBPROF_TRACE_MODEL_H
#define BBPROF_TRACE_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "collect/streams/pieces_read.h"
#include "model/blocks/blocks.h"
#include "model/model.h"
#include "tools/decode/trace_graph.h"
#include "tools/decode/trace_objects.h"
#include "tools/decode/trace_read.h"

/* A signal handler's stream and where it belongs. */
struct trace_handler {
  uint32_t parent, sequence; /* the interrupted stream, and the chunk of it */
  uint64_t bits;             /* in that chunk: bits before the handler */
  uint32_t tokens;
  uint32_t stream; /* index: pieces.streams[...] */
};

struct trace {
  bool any_build; /* the program may be another build than the traced one */
  struct pieces pieces;
  struct bbx sidecar; /* of the profile beside the trace, if any */
  /* Objects and symbols.  Of the profile only if historic code has blocks. */
  struct model model;
  struct trace_objects mappings;
  struct blocks located; /* the blocks of the map and of historic code, by address */
  struct graph graph;
  struct trace_function *functions; /* graph.nfunctions */
  struct trace_block *blocks;       /* graph.nblocks */
  struct trace_thread *threads;
  uint32_t *thread_streams; /* of each thread: the index of its stream */
  size_t nthreads;
  struct trace_handler *handlers; /* sorted by parent, then in order of interruption */
  size_t nhandlers;
  double rate; /* nanoseconds per tick of the processor's clock; 0: unknown */
};

/* Finds threads and handlers in the file.  False: no memory. */
bool trace_streams_find (struct trace *);

/* Three steps: reads the sidecar after the objects are known (false: no memory).  After the
   blocks are located, copies those of historic code to LONE, which has room for all, and returns
   their number.  After the graph is made, hides what the user's selection hides. */
bool trace_sidecar_read (struct trace *);
size_t trace_sidecar_lone (const struct trace *, struct graph_lone *lone);
void trace_sidecar_hide (struct trace *);

/* After the graph is made: finds the callees of direct calls.  False: no memory, or
   the code cannot be read. */
bool trace_callees_find (struct trace *);

/* The block at ADDRESS (of the model); or GRAPH_NO_BLOCK. */
uint32_t trace_block_at (const struct trace *, uint64_t address);

#endif
