/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of a trace's blocks.  Each is looked up once, because that is slow. */
#ifndef BBPROF_LINES_H
#define BBPROF_LINES_H

#include <stdbool.h>

#include "tools/decode/trace_read.h"

struct line {
  const char *file; /* null: unknown */
  unsigned line;
  bool asked;
};

struct lines {
  struct trace *trace;
  struct line *lines; /* of each block */
};

/* False: no memory. */
bool lines_open (struct lines *, struct trace *);
void lines_close (struct lines *);

const struct line *lines_of (struct lines *, const struct trace_block *);

/* Are both blocks of the same line and function? */
bool lines_same (struct lines *, const struct trace_block *, const struct trace_block *);

#endif
