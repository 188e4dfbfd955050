/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of the rings that it shares with the sampled process
   (include/bbprof-samples.h).  What the process has written there is not trusted: numbers are
   read once, and checked. */
#ifndef BBPROF_RINGS_H
#define BBPROF_RINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/writer/traced_process.h"
#include "include/bbprof-samples.h"

struct rings {
  struct bbs_head *head;
  char *first;                      /* ring */
  size_t n, bytes_of_ring, samples; /* rings; of each; in each: a power of two */
  struct process process;
};

/* False: FD is no such memory. */
bool rings_open (struct rings *, int fd);

struct bbs_ring *rings_at (const struct rings *, size_t i);

/* Up to MOST samples that are in the ring, the oldest first; how many. */
size_t rings_copy (const struct rings *, const struct bbs_ring *, struct bbs_sample *to,
                   size_t most);
/* N of these are no longer in it. */
void rings_take (struct bbs_ring *, size_t n);

/* Waits until the bell has been rung since it had been rung SEEN times, or some milliseconds. */
void rings_wait (struct rings *, unsigned seen, unsigned milliseconds);

/* Everything that was there is in the file. */
void rings_end (struct rings *);

#endif
