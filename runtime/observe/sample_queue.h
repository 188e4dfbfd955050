/* SPDX-License-Identifier: MIT */
/* Single samples, as they are taken. */
#ifndef BBP_SAMPLE_QUEUE_H
#define BBP_SAMPLE_QUEUE_H

#include "include/bbprof.h"
#include "runtime/dump/dump.h"
#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

struct bbp_sampled;
struct bbp_context;

struct bbp_observed {
  struct bbprof_sample sample;
  uint32_t mapping; /* of the object of its address (object_mappings.c) */
};

/* A queue of fixed size.  Any number of handlers put samples in, any thread takes them out, none
   waits.  Any context. */
enum { BBP_QUEUE = 16384 }; /* samples: a power of two */
struct bbp_queue {
  uint64_t head, tail; /* number of samples taken out, and put in, so far; atomic */
  uint64_t lost;       /* samples without room since the last one that got room; atomic */
  struct bbp_queue_slot {
    uint64_t turn; /* owner of the slot; atomic; see sample_queue.c */
    struct bbp_observed content;
  } slots[BBP_QUEUE];
};
struct bbp_queue *bbp_queue_make (void); /* null: no memory */
bool bbp_queue_take (struct bbp_queue *, struct bbp_observed *);

/* sample_queue.c: signal.  A sample of the calling thread; of a thread that sleeps in a call, at
   CODE. */
void bbp_observe (const void *context, unsigned ticks);
void bbp_observe_asleep (const struct bbp_sampled *, const struct bbp_context *code,
                         unsigned ticks);
void bbp_observed_forked (void); /* cold */

/* raw.c: raw=FILE.  Cold, lock held, unless a line says otherwise. */
extern struct bbp_queue *bbp_raw_queue; /* null: not requested; any */
void bbp_raw_start (void);
void bbp_raw_tick (void);  /* signal */
void bbp_raw_write (void); /* writes all samples so far to the file */
void bbp_raw_reset (void);
void bbp_raw_forked (void);
void bbp_raw_end (void); /* reports what was lost */

#pragma GCC visibility pop

#endif
