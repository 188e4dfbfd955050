/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of this room: one other build, and where its addresses are in the sum's build. */
#ifndef BBPROF_JOIN_H
#define BBPROF_JOIN_H

#include "common/bag.h"
#include "model/sums/merge.h"
#include "tools/builds/build.h"

/* What is known of a function of the other build. */
struct join_function {
  const struct symbol *to; /* that of the sum's build; null: none */
  bool known;              /* the two others are valid */
  bool same;               /* it has the same code */
  bool used;               /* a profile has something of it */
};

struct join {
  struct build *base; /* the sum's build */
  struct build build;
  struct join_function *functions; /* of each symbol, by index */
  struct bag left;                 /* the addresses of blocks that were left out */
  struct join *next;
};

enum join_kind {
  JOIN_ELSEWHERE, /* not in the program's file */
  JOIN_SAME,
  JOIN_START, /* of a function with other code: its start */
  JOIN_ALONE, /* of a function that only this build has */
};

/* Where something of the other build is in the sum's. */
struct join_place {
  enum join_kind kind;
  uint64_t address; /* JOIN_ELSEWHERE, JOIN_ALONE: unchanged */
};

/* ADDRESS belongs to the function at PROBE, which is the same, or of a return address lower.  Of
   a function with other code a return address is behind its start.  False: out of memory, or code
   that cannot be read. */
bool join_find (struct join *, uint64_t address, uint64_t probe, struct join_place *,
                struct error *);

/* The block at ADDRESS was left out.  False: out of memory. */
bool join_leave_out (struct join *, uint64_t address);

/* Moves ONE, a profile of this build, to the addresses of EXECUTABLE, the sum's build, of which
   SUM has counts.  False: see join_find. */
bool join_profile (struct join *, const struct bbx_run_object *executable,
                   const struct profile *sum, struct merge_one *one, struct error *);

#endif
