/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing arrays: room doubles, so that adding n elements costs n. */
#ifndef BBPROF_ARRAY_H
#define BBPROF_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more element of SIZE bytes in *DATA, which holds COUNT and has room for *ROOM.
   False if memory is short; the array is unchanged then. */
bool array_grow (void *data, size_t count, size_t *room, size_t size);

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
