/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves what the process says about code that it generates into the file, while it runs. */
#ifndef BBPROF_GENERATED_WRITE_H
#define BBPROF_GENERATED_WRITE_H

#include "collect/generated/code_files.h"
#include "collect/generated/codes_pack.h"
#include "collect/streams/file_write.h"

struct generated_writer {
  struct code_files files;
  struct codes codes; /* of the next chunk */
  uint64_t started;   /* of the run: clock_now */
  struct packer *packer;
  struct trace_out *out;
  struct bytes content; /* of the next chunk */
};

void generated_begin (struct generated_writer *, pid_t pid, uint64_t started, struct packer *,
                      struct trace_out *);

/* Writes what the process has added.  LAST: nothing follows; then also what was read. */
void generated_take (struct generated_writer *, bool last);

#endif
