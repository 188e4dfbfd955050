/* SPDX-License-Identifier: MIT */
/* What ring.c, who puts samples in, and rings.c, who makes and ends the memory, share. */
#ifndef BBP_RINGS_H
#define BBP_RINGS_H

#include "include/bbprof-samples.h"
#include "runtime/writer/writer.h"

#pragma GCC visibility push(hidden)

#define BBP_RING_SAMPLES 1024 /* in each: a power of two */

struct bbp_rings {
  enum bbp_rings_state {
    BBP_RINGS_OFF,   /* nobody has asked for times */
    BBP_RINGS_LATER, /* a forked child, or a failed exec: when the process has lived for a while */
    BBP_RINGS_OPEN,
    BBP_RINGS_CLOSED,       /* what comes now is lost */
  } state;                  /* writer: under the lock; read in any context */
  struct bbs_head *head;    /* null: nothing is shared; lock */
  size_t bytes;             /* of it; lock */
  struct bbp_writer writer; /* lock */
  uint64_t later; /* BBP_RINGS_LATER: not before this time of the run; the same as STATE */
};
extern struct bbp_rings bbp_rings;

static inline struct bbs_ring *
bbp_ring_at (uint32_t number)
{
  const struct bbs_head *head = bbp_rings.head;
  return (struct bbs_ring *) ((char *) head + head->bytes_of_head
                              + number * (size_t) head->bytes_of_ring);
}

/* rings.c: BBP_RINGS_LATER is over.  Any, but inside of the lock. */
void bbp_rings_try (void);
/* The writer is to look.  Signal. */
void bbp_rings_ring_the_bell (void);

#pragma GCC visibility pop

#endif
