/* SPDX-License-Identifier: MIT */
/* The process that writes down what this one puts into memory that both share: a trace, or times
   of samples.  Each such memory has a writer of its own. */
#ifndef BBP_WRITER_H
#define BBP_WRITER_H

#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

/* Nanoseconds, in which a writer that lives does something. */
#define BBP_WRITER_PATIENCE 10000000000UL

static inline size_t
bbp_whole_pages (size_t bytes)
{
  return (bytes + BBP_PAGE_BYTES - 1) & -(size_t) BBP_PAGE_BYTES;
}

/* New memory to be shared, of zeros, at *MEMORY; its descriptor, or -errno.  Cold. */
int bbp_writer_memory (const char *name, size_t bytes, void **memory);

struct bbp_writer {
  int pid; /* its process; 0: there is none */
  /* The child that waits for it; 0: bbprof record does, or nobody is left to be reaped. */
  int keeper;
};
/* cold, lock held; FD: the memory; 0 or -errno. */
int bbp_writer_start (struct bbp_writer *, int fd);
/* cold, lock held: it ends, or is gone: reap who waits for it. */
void bbp_writer_end (struct bbp_writer *);
/* cold, lock held: it could not be started, so there is WHAT. */
void bbp_writer_complain (const char *what, int error);
bool bbp_writer_is_gone (const struct bbp_writer *); /* hot */

void bbp_writer_find (void); /* cold */

#pragma GCC visibility pop

#endif
