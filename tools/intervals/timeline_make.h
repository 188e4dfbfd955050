/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline of what was watched, wherever that is from: a file, or a test that has written it
   down by hand. */
#ifndef BBPROF_TIMELINE_MAKE_H
#define BBPROF_TIMELINE_MAKE_H

#include "collect/streams/watched.h"
#include "tools/intervals/timeline.h"

/* A frame of a stack beneath the one that has called it.  Its number is its index in the list; 0
   is none. */
struct timeline_node {
  uint32_t parent;  /* lower than its own number */
  const char *name; /* of the function; null: the node stands for no frame */
};

struct timeline_input {
  struct bbs_watch watch;
  const struct watched *watched;
  const struct bbs_wait *waits; /* for the profiler */
  size_t nwaits;
  const struct bbx_thread *threads; /* those that were sampled */
  size_t nthreads;
};

/* T's threads with their intervals, names and sums, and its marks.  False: no memory;
   timeline_close is right in both cases.  The input is needed no more. */
bool timeline_make (struct timeline *, const struct timeline_input *, struct error *err);

/* Then: the N nodes of stacks, names included, are copied.  Once. */
bool timeline_set_stacks (struct timeline *, const struct timeline_node *, size_t n);

/* Then: the N samples of the thread that the sidecar has under NUMBER; that nobody knows it is
   no error. */
bool timeline_add_samples (struct timeline *, uint32_t number, const struct bbs_sample *, size_t n);

#endif
