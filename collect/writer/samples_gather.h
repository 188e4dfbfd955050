/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples on their way from the rings into the file: those of a thread gather until they are
   worth a chunk, or old. */
#ifndef BBPROF_SAMPLES_GATHER_H
#define BBPROF_SAMPLES_GATHER_H

#include "collect/streams/file_write.h"
#include "collect/streams/pack.h"
#include "collect/writer/ring_reader.h"

struct samples_gather {
  struct rings *rings;
  struct trace_out *out;
  struct packer *packer;
  struct bytes content;           /* of the chunk that is being made */
  struct gathered *gathered;      /* one for each ring */
  uint64_t lost_rings, lost_file; /* that found no room: so far, by what the file says */
};

/* False if memory is short. */
bool samples_gather_begin (struct samples_gather *, struct rings *, struct packer *,
                           struct trace_out *);

/* Empties all rings; what was gathered before the time BEFORE (clock_now) is written.  Without
   memory they wait, and overrun. */
void samples_gather_drain (struct samples_gather *, uint64_t before);

#endif
