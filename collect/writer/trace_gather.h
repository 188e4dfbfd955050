/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces on their way into the file: those of a stream gather in a group until it is worth a
   chunk, or old. */
#ifndef BBPROF_TRACE_GATHER_H
#define BBPROF_TRACE_GATHER_H

#include "collect/streams/file_write.h"
#include "collect/streams/group.h"
#include "collect/writer/shared.h"

/* Groups at a time, each of a few megabytes at most.  With more streams than that, the oldest is
   written early. */
enum { TRACE_GATHER_GROUPS = 16 };

struct gathering {
  struct group *group; /* null: not used yet */
  uint32_t stream;     /* 0: of streams that are one piece each, as those of signal handlers are */
  uint64_t since;      /* ns; when its first piece came */
};

struct trace_gather {
  struct gathering gatherings[TRACE_GATHER_GROUPS];
  struct packer packer;
  struct bytes content; /* of the chunk that is being made */
  struct trace_out *out;
  uint64_t lost; /* pieces that are not in the file */
};

/* False if memory is short. */
bool trace_gather_begin (struct trace_gather *, struct trace_out *);
/* The copy is changed: what it says of the time is made simpler. */
void trace_gather_add (struct trace_gather *, struct shared_copy *, uint64_t now);

/* Writes the groups that began before the time BEFORE. */
void trace_gather_flush (struct trace_gather *, uint64_t before);

#endif
