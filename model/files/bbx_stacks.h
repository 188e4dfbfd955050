/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sidecar says of samples with stacks: how they were taken, the threads, and the tree of
   calling contexts. */
#ifndef BBPROF_BBX_STACKS_H
#define BBPROF_BBX_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-file.h"

/* A node of the tree; it is number I + 1 if it is nodes[I]. */
struct bbx_node {
  uint64_t address; /* as its kind says; of code in addresses of the file */
  uint64_t ticks;   /* that ended here */
  uint32_t parent;  /* number, lower than its own; 0: none */
  uint32_t kind;    /* enum bbx_frame */
};

struct bbx_stacks {
  struct bbx_sampling *samplings; /* each name ends with a zero */
  size_t nsamplings, room_samplings;
  /* By number; all that roots of the tree name; each name is filled up with zeros, one at least. */
  struct bbx_thread *threads;
  size_t nthreads, room_threads;
  bool has_nodes; /* the tree was there, even if it is empty */
  struct bbx_node *nodes;
  size_t nnodes, room_nodes;
};

/* Adds what a chunk holds.  Null: it is done; else what is wrong with it, and
   bbx_stacks_no_memory if it is none of its fault. */
extern const char bbx_stacks_no_memory[];
const char *bbx_stacks_add_sampling (struct bbx_stacks *, const char *content, size_t size);
const char *bbx_stacks_add_thread (struct bbx_stacks *, const char *content, size_t size);
const char *bbx_stacks_add_contexts (struct bbx_stacks *, const char *content, size_t size);

/* After the last chunk: threads in order, with those that only the tree knows of.  False: no
   memory. */
bool bbx_stacks_finish (struct bbx_stacks *);

void bbx_stacks_free (struct bbx_stacks *);

/* Is ADDRESS, of a frame of KIND, one of code of some object? */
static inline bool
bbx_frame_is_code (uint32_t kind)
{
  return kind == BBX_FRAME_CODE || kind == BBX_FRAME_INTERRUPTED;
}

static inline bool
bbx_frame_is_kernel (uint32_t kind)
{
  return kind == BBX_FRAME_SYSCALL || kind == BBX_FRAME_KERNEL;
}

#endif
