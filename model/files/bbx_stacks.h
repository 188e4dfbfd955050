/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampled stacks of a sidecar: how samples were taken, the threads, and the calling context
   tree. */
#ifndef BBPROF_BBX_STACKS_H
#define BBPROF_BBX_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-file.h"
#include "model/files/bbx_kernel.h"
#include "model/files/bbx_languages.h"

/* A node of the tree.  nodes[I] has the number I + 1. */
struct bbx_node {
  uint64_t address; /* as its kind says; of code: an address of the file */
  uint64_t ticks;   /* samples that ended here */
  uint32_t parent;  /* number, lower than its own; 0: none */
  uint32_t kind;    /* enum bbx_frame */
  bool by_pointer;  /* found by the frame pointer */
};

struct bbx_stacks {
  struct bbx_sampling *samplings; /* each name is terminated */
  size_t nsamplings, room_samplings;
  /* By number: all threads that roots of the tree name.  Each name is padded with zeros, at least
     one. */
  struct bbx_thread *threads;
  size_t nthreads, room_threads;
  struct bbx_kernel kernel;
  bool has_nodes; /* the tree was in the file, even if empty */
  struct bbx_node *nodes;
  size_t nnodes, room_nodes;
  struct bbx_languages languages;
};

/* Add the content of a chunk.  Null: done; else what is wrong with it, or bbx_stacks_no_memory if
   the content is not to blame. */
extern const char bbx_stacks_no_memory[];
const char *bbx_stacks_add_sampling (struct bbx_stacks *, const char *content, size_t size);
const char *bbx_stacks_add_thread (struct bbx_stacks *, const char *content, size_t size);
const char *bbx_stacks_add_kernel (struct bbx_stacks *, const char *content, size_t size);
const char *bbx_stacks_add_contexts (struct bbx_stacks *, const char *content, size_t size);

/* Clears all bytes of the name behind its terminator, and terminates it.  SIZE: its bytes. */
void bbx_stacks_end_name (char *name, size_t size);

/* After the last chunk: sorts the threads, and adds those that only the tree names.  False: out
   of memory. */
bool bbx_stacks_finish (struct bbx_stacks *);

void bbx_stacks_free (struct bbx_stacks *);

/* Is the ADDRESS of a frame of KIND one of an object's code? */
static inline bool
bbx_frame_is_code (uint32_t kind)
{
  return kind == BBX_FRAME_CODE || kind == BBX_FRAME_INTERRUPTED;
}

static inline bool
bbx_frame_is_kernel (uint32_t kind)
{
  return kind == BBX_FRAME_SYSCALL || kind == BBX_FRAME_KERNEL || kind == BBX_FRAME_KERNEL_FUNCTION;
}

#endif
