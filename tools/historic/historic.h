/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files of GCC 2.95's run-time library from today's profiles: bb.out with counts of
   blocks and jumps, and bbtrace.gz.  Addresses are those of gmon.out: link-time addresses in the
   executable, and those of each library moved up by its base. */
#ifndef BBPROF_HISTORIC_H
#define BBPROF_HISTORIC_H

#include <stdbool.h>

#include "include/bbprof-historic.h"
#include "model/blocks/blocks.h"
#include "model/model.h"

struct historic {
  const struct model *model;
  const struct blocks *blocks;
  const struct bbx *sidecar; /* of the single run */
  const char *finished;      /* time of the dump, in bbh_time's format */
};

/* Each sends its part of bb.out to the receiver, in the words of runtime/historic/bb_out.c.
   False: no memory. */
bool historic_write_counts (const struct bbh_receiver *, const struct historic *, struct error *);
bool historic_write_jumps (const struct bbh_receiver *, const struct historic *, struct error *);
/* Writes bbtrace.gz to the current folder, or bbtrace (PLAIN), for each thread.  False: see ERR. */
struct trace;
bool historic_write_trace (struct trace *, const struct historic *, bool plain, struct error *);
/* Writes the names in `bb.in' that no function has, if any. */
void historic_write_missing (const struct bbh_receiver *, const struct historic *);

#endif
