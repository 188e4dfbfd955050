/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that GCC 2.95's run-time library wrote, made of today's: bb.out with the counts of
   blocks and jumps, and bbtrace.gz.  Addresses are those of gmon.out: of link time in the
   executable, each library's moved up by a base of its own. */
#ifndef BBPROF_HISTORIC_H
#define BBPROF_HISTORIC_H

#include <stdbool.h>

#include "include/bbprof-historic.h"
#include "model/blocks/blocks.h"
#include "model/model.h"

struct historic {
  const struct model *model;
  const struct blocks *blocks;
  const struct bbx *sidecar; /* of the one run */
  const char *finished;      /* when the profile was written, as bbh_time has it */
};

/* Each gives its part of bb.out to the receiver, in the words of runtime/historic/bb_out.c;
   false: no memory. */
bool historic_write_counts (const struct bbh_receiver *, const struct historic *, struct error *);
bool historic_write_jumps (const struct bbh_receiver *, const struct historic *, struct error *);
/* bbtrace.gz, in the current folder, or bbtrace (PLAIN), for each thread.  False: see ERR. */
struct trace;
bool historic_write_trace (struct trace *, const struct historic *, bool plain, struct error *);
/* What `bb.in' names and nobody is called, if there is such a name. */
void historic_write_missing (const struct bbh_receiver *, const struct historic *);

#endif
