/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that GCC 2.95's run-time library wrote, made of today's: bb.out with the counts of blocks and jumps, and bbtrace.gz.  Addresses are
   those of gmon.out: of link time in the executable, each library's moved up by a base of its own. */
#ifndef BBPROF_HISTORIC_H
#define BBPROF_HISTORIC_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "blocks.h"
#include "model.h"

struct historic {
  const struct model *model;
  const struct blocks *blocks;
  const struct bbx *sidecar; /* of the one run */
  time_t finished;           /* when the profile was written */
};

/* Each appends its part to OUT; false: no memory. */
bool historic_write_counts (FILE *out, const struct historic *, struct error *);
bool historic_write_jumps (FILE *out, const struct historic *, struct error *);
/* bbtrace.gz, in the current folder, or bbtrace (PLAIN), for each thread.  False: see ERR. */
struct trace;
bool historic_write_trace (struct trace *, const struct historic *, bool plain, struct error *);
/* What `bb.in' names and nobody is called, if there is such a name. */
void historic_write_missing (FILE *out, const struct historic *);

/* How many digits VALUE has to BASE. */
int historic_digits (uint64_t value, unsigned base);

#endif
