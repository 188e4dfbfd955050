/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts many nodes by numbers, so that the nodes themselves, which are anywhere in memory, are
   compared only where these are equal. */
#ifndef BBPROF_RANKS_H
#define BBPROF_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rank {
  uint64_t first, second; /* the smaller comes first */
  uint32_t node;
};

/* The larger VALUE is, the smaller is the number. */
uint64_t rank_down (double value);

/* COMPARE gets ranks whose numbers are equal.  Stable; false: out of memory. */
bool ranks_sort (struct rank *, size_t count, int (*compare) (const void *, const void *, void *),
                 void *context);

#endif
