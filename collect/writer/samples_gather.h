/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves samples from the rings into the file: gathers those of each thread until they fill a
   chunk, or are old. */
#ifndef BBPROF_SAMPLES_GATHER_H
#define BBPROF_SAMPLES_GATHER_H

#include "collect/streams/file_write.h"
#include "collect/streams/pack.h"
#include "collect/writer/ring_reader.h"

struct samples_gather {
  struct rings *rings;
  struct trace_out *out;
  struct packer *packer;
  struct bytes content;           /* of the next chunk */
  struct gathered *gathered;      /* one for each ring */
  uint64_t lost_rings, lost_file; /* lost samples: without a ring's room, without the file's */
};

/* False: out of memory. */
bool samples_gather_begin (struct samples_gather *, struct rings *, struct packer *,
                           struct trace_out *);

/* Empties all rings, and writes the samples gathered before the time BEFORE (clock_now).  Without
   memory samples stay in the rings, which then overrun. */
void samples_gather_drain (struct samples_gather *, uint64_t before);

#endif
