/* SPDX-License-Identifier: MIT */
/* The process that writes what this process puts into shared memory: a trace, or times of
   samples.  Each such memory has its own writer. */
#ifndef BBP_WRITER_H
#define BBP_WRITER_H

#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

/* Nanoseconds within which a living writer makes progress. */
#define BBP_WRITER_PATIENCE 10000000000UL

/* Makes new shared memory, of zeros, at *MEMORY; returns its descriptor, or -errno.  Cold. */
int bbp_writer_memory (const char *name, size_t bytes, void **memory);

struct bbp_writer {
  int pid; /* pid of the writer; 0: there is none */
  /* The child that waits for it; 0: bbprof record does, or no child is left to reap. */
  int keeper;
};
/* cold, lock held; FD: the memory; 0 or -errno. */
int bbp_writer_start (struct bbp_writer *, int fd);
/* cold, lock held: the writer ends, or has ended: reaps the keeper. */
void bbp_writer_end (struct bbp_writer *);
/* cold, lock held: the writer could not be started, so WHAT is missing. */
void bbp_writer_complain (const char *what, int error);
bool bbp_writer_is_gone (const struct bbp_writer *); /* hot */

void bbp_writer_find (void); /* cold */

#pragma GCC visibility pop

#endif
