/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a timeline of records, from a file or from a test. */
#ifndef BBPROF_TIMELINE_MAKE_H
#define BBPROF_TIMELINE_MAKE_H

#include "collect/streams/watched.h"
#include "tools/intervals/timeline.h"

/* A frame of a stack, below the frame that called it.  Its number is its index in the list; 0 is
   none. */
struct timeline_node {
  uint32_t parent;  /* lower than its own number */
  const char *name; /* of the function; null: the node is not a frame */
};

struct timeline_input {
  struct bbs_watch watch;
  const struct watched *watched;
  const struct bbs_wait *waits; /* waits for the profiler */
  size_t nwaits;
  const struct bbx_thread *threads; /* threads that were sampled */
  size_t nthreads;
};

/* Makes T's threads with intervals, names and sums, and its markers.  The input may be freed then.
   False: out of memory; call timeline_close in any case. */
bool timeline_make (struct timeline *, const struct timeline_input *, struct error *err);

/* Then, once: copies the N nodes of stacks, with their names. */
bool timeline_set_stacks (struct timeline *, const struct timeline_node *, size_t n);

/* Then: adds the N samples of the thread with NUMBER in the sidecar; an unknown thread is not an
   error. */
bool timeline_add_samples (struct timeline *, uint32_t number, const struct bbs_sample *, size_t n);

#endif
