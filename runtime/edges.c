/* SPDX-License-Identifier: MIT */
/* The edges between blocks as the sidecar has them (bbprof-file.h): small numbers, because there are many.
   Context: cold, lock held. */
#include "internal.h"

#define MOST_DIGITS 10 /* of a number of 64 bits, 7 at a time */

static unsigned char *
put_number (unsigned char *next, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *next++ = (unsigned char) (value | 0x80);
  *next++ = (unsigned char) value;
  return next;
}

/* Small if VALUE is close to 0 from either side. */
static uint64_t
fold (uint64_t value)
{
  return value << 1 ^ -(value >> 63);
}

size_t
bbp_edges_room (const struct bbp_counts *edges)
{
  return edges->n * 3 * MOST_DIGITS;
}

size_t
bbp_edges_encode (unsigned char *bytes, const struct bbp_counts *edges)
{
  unsigned char *next = bytes;
  uintptr_t before = 0;
  for (size_t i = 0; i < edges->n; i++)
    {
      const struct bbp_count *edge = &edges->item[i];
      next = put_number (next, fold (edge->from - before));
      next = put_number (next, fold (edge->self - edge->from));
      next = put_number (next, edge->count);
      before = edge->from;
    }
  return (size_t) (next - bytes);
}
