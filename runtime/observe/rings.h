/* SPDX-License-Identifier: MIT */
/* Shared by ring.c, which puts samples in, and ring_memory.c, which makes and ends the memory. */
#ifndef BBP_RINGS_H
#define BBP_RINGS_H

#include "include/bbprof-samples.h"
#include "runtime/writer/writer.h"

#pragma GCC visibility push(hidden)

#define BBP_RING_SAMPLES 1024 /* samples in each ring: a power of two */

struct bbp_rings {
  enum bbp_rings_state {
    BBP_RINGS_OFF, /* times were not requested */
    /* a forked child, or after a failed exec: starts when the process has lived for a while */
    BBP_RINGS_LATER,
    BBP_RINGS_OPEN,
    BBP_RINGS_CLOSED,       /* further samples are lost */
  } state;                  /* writer: under the lock; read in any context */
  struct bbs_head *head;    /* the shared memory; null: none; lock */
  size_t bytes;             /* its size; lock */
  struct bbp_writer writer; /* lock */
  /* BBP_RINGS_LATER: not before this time of the run; writer and readers as of STATE */
  uint64_t later;
};
extern struct bbp_rings bbp_rings;

static inline struct bbs_ring *
bbp_ring_at (uint32_t number)
{
  const struct bbs_head *head = bbp_rings.head;
  return (struct bbs_ring *) ((char *) head + head->bytes_of_head
                              + number * (size_t) head->bytes_of_ring);
}

/* ring_memory.c: the delay of BBP_RINGS_LATER is over.  Any, but without the lock. */
void bbp_rings_try (void);
/* Wakes the writer.  Signal. */
void bbp_rings_wake_writer (void);

/* queue.c: the memory, if there is a timeline; null: none, or no longer.  Any. */
struct bbs_head *bbp_timeline_memory (void);
/* The number of a slot that only the caller has now; false: all SLOTS are full, which is counted.
   Any. */
bool bbp_queue_claim (struct bbs_queue *, uint64_t slots, uint64_t *number);
/* Item NUMBER is complete; READY is its slot's. */
void bbp_queue_publish (struct bbs_queue *, uint64_t slots, uint64_t number,
                        _Atomic uint64_t *ready);

#pragma GCC visibility pop

#endif
