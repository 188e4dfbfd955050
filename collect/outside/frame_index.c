/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "collect/outside/frame_index.h"

enum { LEAST_ENTRY = 16 }; /* bytes: length, distance, start, size */

size_t
frame_index_room (size_t size)
{
  return sizeof (struct bbp_cfi_index) + (size / LEAST_ENTRY + 1) * sizeof (struct bbp_cfi_item);
}

static int
compare (const void *a, const void *b)
{
  const struct bbp_cfi_item *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/* The length of the entry at AT, with the bytes that hold it; 0: the end, or damaged. */
static size_t
length_of (const unsigned char *at, const unsigned char *end)
{
  uint32_t length;
  if (end - at < (ptrdiff_t) sizeof length)
    return 0;
  memcpy (&length, at, sizeof length);
  return length == 0 || length == UINT32_MAX || length > (size_t) (end - at) - sizeof length
             ? 0
             : length + sizeof length;
}

size_t
frame_index_make (const unsigned char *first, const unsigned char *end, struct bbp_cfi_index *index,
                  size_t room)
{
  *index = (struct bbp_cfi_index) { .version = 1,
                                    .number = BBP_CFI_FOUR_BYTES,
                                    .table = BBP_CFI_PAIRS };
  const size_t most = (room - sizeof *index) / sizeof *index->item;
  size_t length;
  for (const unsigned char *at = first; (length = length_of (at, end)); at += length)
    {
      struct bbp_cfi cfi = { .low = first, .high = end };
      if (!bbp_cfi_read (&cfi, at) || index->n == most)
        continue;
      index->item[index->n++]
          = (struct bbp_cfi_item) { (int32_t) (cfi.start - (uintptr_t) index),
                                    (int32_t) (at - (const unsigned char *) index) };
    }
  qsort (index->item, index->n, sizeof *index->item, compare);
  return index->n ? sizeof *index + index->n * sizeof *index->item : 0;
}
