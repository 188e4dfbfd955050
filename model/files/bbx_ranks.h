/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks of an MPI program, as the sidecar has them (BBX_TYPE_RANK). */
#ifndef BBPROF_BBX_RANKS_H
#define BBPROF_BBX_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-file.h"
#include "include/bbprof-ranks.h"
#include "model/files/gmon_read.h"

/* The calls of a function of MPI from one call site. */
struct bbx_rank_call {
  uint64_t site; /* virtual return address; 0: unknown */
  uint64_t call; /* enum bbm_call, or one that only later versions know */
  uint64_t calls, nanoseconds, bytes;
  /* Collective calls of which the last rank is known; those to which this one came last; from the
     first arrival to its own in these; how long it waited for the last one in all: nanoseconds. */
  uint64_t judged, last, spread, waited;
};

struct bbx_rank_count {
  uint64_t address, count; /* virtual */
};

struct bbx_run_rank {
  struct bbx_rank fixed; /* as in the file */
  struct bbx_rank_call *calls;
  size_t ncalls;
  /* Null without BBX_RANK_COUNTS. */
  struct bbx_rank_counts {
    struct bbx_rank_count *items;
    size_t n;
  } lists[BBX_RANK_LISTS];
};

struct bbx_ranks {
  struct bbx_run_rank *all;
  size_t n, room;
};

/* Adds the content of a chunk.  Null, or what is wrong with it, which may be
   bbx_stacks_no_memory. */
const char *bbx_ranks_add (struct bbx_ranks *, const char *content, size_t size);
/* Moves call sites and counts to other addresses. */
void bbx_ranks_move (struct bbx_ranks *, const struct gmon_moves *);
void bbx_rank_free (struct bbx_run_rank *);
void bbx_ranks_free (struct bbx_ranks *);

/* "MPI_Send"; in memory that the next call may change. */
const char *bbx_rank_call_name (uint64_t call);

#endif
