/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's side of the rings that it shares with the sampled process
   (include/bbprof-samples.h).  The process may have written anything there: each number is read
   once and checked. */
#ifndef BBPROF_RINGS_H
#define BBPROF_RINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/writer/traced_process.h"
#include "include/bbprof-samples.h"

struct rings {
  struct bbs_head *head;
  char *first;                      /* ring */
  size_t n, bytes_of_ring, samples; /* number of rings; of one ring; its capacity, a power of two */
  struct process process;
};

/* False: FD is not such memory. */
bool rings_open (struct rings *, int fd);

struct bbs_ring *rings_at (const struct rings *, size_t i);

/* Copies up to MOST samples of a ring to TO, the oldest first.  Returns how many. */
size_t rings_copy (const struct rings *, const struct bbs_ring *, struct bbs_sample *to,
                   size_t most);
/* Removes the N oldest samples. */
void rings_take (struct bbs_ring *, size_t n);

/* Waits until the doorbell differs from SEEN, or for some milliseconds. */
void rings_wait (struct rings *, unsigned seen, unsigned milliseconds);

/* Tells the process that all its samples are in the file. */
void rings_end (struct rings *);

#endif
