/* SPDX-License-Identifier: MIT */
/* The process that writes down what this one puts into memory that both share: a trace, or times of samples.  Each such
   memory has a writer of its own. */
#ifndef BBP_WRITER_H
#define BBP_WRITER_H

#include "internal.h"

#pragma GCC visibility push(hidden)

#define BBP_WRITER_PATIENCE 10000000000UL /* nanoseconds, in which a writer that lives does something */

static inline size_t
bbp_whole_pages (size_t bytes)
{
  return (bytes + BBP_PAGE_BYTES - 1) & -(size_t) BBP_PAGE_BYTES;
}

/* New memory to be shared, of zeros, at *MEMORY; its descriptor, or -errno.  Cold. */
int bbp_writer_memory (const char *name, size_t bytes, void **memory);
int bbp_writer_start (int fd); /* cold, lock held; FD: the memory; its process, or -errno */
void bbp_writer_complain (const char *what, int error); /* cold, lock held: it could not be started, so there is WHAT */
bool bbp_writer_is_gone (int writer); /* hot */

#pragma GCC visibility pop

#endif
