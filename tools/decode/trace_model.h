/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is behind struct trace: an open file and all that is known of the program.  Read once by
   trace_read.c; then cursors and reports only read. */
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

/* A handler's stream, and where it belongs. */
struct trace_handler {
  uint32_t parent, sequence; /* the stream that it interrupted, and the piece of it */
  uint64_t bits;             /* of that piece, before it */
  uint32_t tokens;
  uint32_t stream; /* index: pieces.streams[...] */
};

struct trace {
  bool any_build; /* the program may be another build than the one that was traced */
  struct pieces pieces;
  struct bbx sidecar; /* of the profile beside it, if there is one */
  /* Objects and symbols; of the profile only where historic code has blocks. */
  struct model model;
  struct trace_objects places;
  struct blocks located; /* the blocks of the map, and of historic code, by address */
  struct graph graph;
  struct trace_function *functions; /* graph.nfunctions */
  struct trace_block *blocks;       /* graph.nblocks */
  struct trace_thread *threads;
  uint32_t *thread_streams; /* of each thread, the index of its stream */
  size_t nthreads;
  struct trace_handler *handlers; /* by parent, and there as they came */
  size_t nhandlers;
  double rate; /* nanoseconds of one tick of the processor's clock; 0: not known */
};

/* Finds threads and handlers in the file.  False if memory is short. */
bool trace_streams_find (struct trace *);

/* Reads the sidecar, when the objects are known; false if memory is short.  Then, when the
   blocks are located: those of historic code into LONE, which has room for all, and how many
   they are; when there is a graph: hides what the user does not want to see. */
bool trace_sidecar_read (struct trace *);
size_t trace_sidecar_lone (const struct trace *, struct graph_lone *lone);
void trace_sidecar_hide (struct trace *);

/* The block whose code is at ADDRESS, one of the model's; or GRAPH_NO_BLOCK. */
uint32_t trace_block_at (const struct trace *, uint64_t address);

#endif
