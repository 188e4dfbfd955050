/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a file of chunks: gmon.out.bbt or gmon.out.bbs.  Each chunk is written whole or not at
   all. */
#ifndef BBPROF_FILE_WRITE_H
#define BBPROF_FILE_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct trace_out {
  int fd;
  /* Errno of the first failure.  After it only trace_out_finish still writes. */
  int error;
  uint64_t whole; /* bytes of whole chunks */
};

/* Creates the file PATH with the header of MAGIC, VERSION and the run id RUN.  Replaces only a
   plain file that may be written.  Sets ERROR. */
void trace_out_open (struct trace_out *, const char *path, const char *magic, uint32_t version,
                     uint64_t run);
void trace_out_chunk (struct trace_out *, uint32_t type, const void *content, size_t n);

/* Writes LOSSES, even after a failure, if they still fit; then the end chunk, if nothing failed. */
struct bbx_loss;
void trace_out_finish (struct trace_out *, const struct bbx_loss *losses, size_t n);

#endif
