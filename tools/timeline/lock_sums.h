/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the threads of a view waited for each lock in its window, and for which holders. */
#ifndef BBPROF_LOCK_SUMS_H
#define BBPROF_LOCK_SUMS_H

#include "tools/timeline/timeline_emit.h"

enum { LOCK_TEXT = 320 }; /* bytes of timeline_lock_text */

struct lock_holder {
  uint32_t thread;          /* index */
  uint64_t known, inferred; /* waits with this holder */
  uint64_t time;            /* nanoseconds of these waits */
};

struct lock_sums {
  uint32_t lock;               /* index */
  uint64_t waits, time;        /* nanoseconds */
  uint64_t inferred;           /* number of waits of which the lock is inferred */
  uint64_t longest;            /* nanoseconds */
  const char *function;        /* the function with the longest wait; null: unknown */
  struct lock_holder *holders; /* longest time first */
  size_t nholders, room;
};

/* The locks with a wait, longest time first; *N: how many.  Null: out of memory. */
struct lock_sums *lock_sums_make (const struct timeline_view *, size_t *n);
void lock_sums_free (struct lock_sums *, size_t n);

#endif
