/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a trace, or of the times of samples, while it is written: chunk by chunk, and each
   is there whole or not at all. */
#ifndef BBPROF_FILE_WRITE_H
#define BBPROF_FILE_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct trace_out {
  int fd;
  /* Errno of the first failure; nothing is written behind that but what is asked for as a last
     word. */
  int error;
  uint64_t whole; /* bytes of whole chunks */
};

/* A new file PATH, of the kind that MAGIC and VERSION say, for the run RUN.  What stands there
   is replaced if it is a plain file that may be written.  See ERROR. */
void trace_out_open (struct trace_out *, const char *path, const char *magic, uint32_t version,
                     uint64_t run);
void trace_out_chunk (struct trace_out *, uint32_t type, const void *content, size_t n);

/* LOSSES are said even if the file has no room for anything more but that; then the end. */
struct bbx_loss;
void trace_out_finish (struct trace_out *, const struct bbx_loss *losses, size_t n);

#endif
