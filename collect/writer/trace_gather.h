/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves pieces of a trace into the file: gathers those of a stream in a group until it fills a
   chunk, or is old. */
#ifndef BBPROF_TRACE_GATHER_H
#define BBPROF_TRACE_GATHER_H

#include "collect/streams/file_write.h"
#include "collect/streams/group.h"
#include "collect/writer/shared.h"

/* Groups at a time, each of a few megabytes at most.  With more streams the oldest group is
   written early. */
enum { TRACE_GATHER_GROUPS = 16 };

struct gathering {
  struct group *group; /* null: not used yet */
  uint32_t stream;     /* 0: streams of one piece each, such as those of signal handlers */
  uint64_t since;      /* ns: time of its first piece */
};

struct trace_gather {
  struct gathering gatherings[TRACE_GATHER_GROUPS];
  struct packer packer;
  struct bytes content; /* of the next chunk */
  struct trace_out *out;
  uint64_t lost; /* pieces that are not in the file */
};

/* False: out of memory. */
bool trace_gather_begin (struct trace_gather *, struct trace_out *);
/* Changes the copy: simplifies its times. */
void trace_gather_add (struct trace_gather *, struct shared_copy *, uint64_t now);

/* Writes the groups that began before the time BEFORE. */
void trace_gather_flush (struct trace_gather *, uint64_t before);

#endif
