/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays: growing (doubling, so n additions cost O(n)), sorting, binary search. */
#ifndef BBPROF_ARRAY_H
#define BBPROF_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* COUNT elements of SIZE bytes, for many that are read in any order; of array_zeros all are 0.
   Null: out of memory. */
void *array_new (size_t count, size_t size);
void *array_zeros (size_t count, size_t size);

/* Makes room for one more element of SIZE bytes in *DATA, which holds COUNT and has room for
   *ROOM.  False: out of memory, and the array is unchanged. */
bool array_grow (void *data, size_t count, size_t *room, size_t size);

/* Binary search: the number of elements before the first index I that makes CONDITION false.  It
   must be false for all behind that one. */
#define ARRAY_BEFORE(I, COUNT, CONDITION)           \
  __extension__({                                   \
    size_t low_ = 0, high_ = (COUNT);               \
    while (low_ < high_)                            \
      {                                             \
        const size_t I = low_ + (high_ - low_) / 2; \
        if (CONDITION)                              \
          low_ = I + 1;                             \
        else                                        \
          high_ = I;                                \
      }                                             \
    low_;                                           \
  })

/* Sorts COUNT elements of SIZE bytes: stable, O(n log n) for any order.  The comparison need not be
   consistent: the steps are those of a top-down merge sort with a left half of count / 2 elements.
   False: out of memory. */
bool array_sort (void *data, size_t count, size_t size,
                 int (*compare) (const void *, const void *, void *), void *context);

/* Sorts by the uint64_t at OFFSET in each element: stable, O(n).  False: out of memory. */
bool array_sort_by_number (void *data, size_t count, size_t size, size_t offset);

#endif
