/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays: growing, where room doubles, so that adding n elements costs n; sorted; searched. */
#ifndef BBPROF_ARRAY_H
#define BBPROF_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more element of SIZE bytes in *DATA, which holds COUNT and has room for *ROOM.
   False if memory is short; the array is unchanged then. */
bool array_grow (void *data, size_t count, size_t *room, size_t size);

/* How many of COUNT elements come before a place: those whose index I makes CONDITION true, which
   is false for all behind the first one for which it is. */
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

/* Sorts COUNT elements of SIZE bytes.  Stable, n log n whatever the order was, and the
   comparison need not be a consistent order: the steps are those of a top-down merge, the left
   half being count / 2.
   False if memory is short. */
bool array_sort (void *data, size_t count, size_t size,
                 int (*compare) (const void *, const void *, void *), void *context);

/* Sorts them by the uint64_t that is OFFSET bytes into each: stable, and the time goes with
   COUNT.  False if memory is short. */
bool array_sort_by_number (void *data, size_t count, size_t size, size_t offset);

#endif
