/* SPDX-License-Identifier: MIT */
/* Samples one by one, as they are taken, for who wants to see each. */
#ifndef BBP_OBSERVED_H
#define BBP_OBSERVED_H

#include "include/bbprof.h"
#include "runtime/dump/dump.h"
#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

struct bbp_sampled;
struct bbp_context;

struct bbp_observed {
  struct bbprof_sample sample;
  uint32_t mapping; /* of its address (object_mappings.c) */
};

/* Of a fixed size; any number of handlers put, and anybody takes, nobody waits.  Any context. */
enum { BBP_QUEUE = 16384 }; /* samples: a power of two */
struct bbp_queue {
  uint64_t head, tail; /* ever taken; ever put in; atomic */
  uint64_t lost;       /* found no room, since the last one that did; atomic */
  struct bbp_queue_slot {
    uint64_t turn; /* of whom it is; atomic; see observed.c */
    struct bbp_observed content;
  } slots[BBP_QUEUE];
};
struct bbp_queue *bbp_queue_make (void); /* null: no memory */
bool bbp_queue_take (struct bbp_queue *, struct bbp_observed *);

/* observed.c: signal.  A sample of the calling thread; of one that sleeps in a call, at CODE. */
void bbp_observe (const void *context, unsigned ticks);
void bbp_observe_asleep (const struct bbp_sampled *, const struct bbp_context *code,
                         unsigned ticks);
void bbp_observed_forked (void); /* cold */

/* raw.c: raw=FILE.  Cold, lock held, but as said. */
extern struct bbp_queue *bbp_raw_queue; /* null: nobody wants it; any */
void bbp_raw_start (void);
void bbp_raw_tick (void);  /* signal */
void bbp_raw_write (void); /* what has been sampled up to now is in the file */
void bbp_raw_reset (void);
void bbp_raw_forked (void);
void bbp_raw_end (void); /* says what was lost */

#pragma GCC visibility pop

#endif
