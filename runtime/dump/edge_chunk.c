/* SPDX-License-Identifier: MIT */
/* The encoding of edges in the sidecar (bbprof-file.h), compact because there are many.  Context:
   cold, lock held. */
#include "runtime/dump/dump.h"

unsigned char *
bbp_number_put (unsigned char *next, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *next++ = (unsigned char) (value | 0x80);
  *next++ = (unsigned char) value;
  return next;
}

uint64_t
bbp_number_fold (uint64_t value)
{
  return value << 1 ^ -(value >> 63);
}

size_t
bbp_edges_room (const struct bbp_counts *edges)
{
  return edges->n * 3 * BBP_NUMBER_BYTES;
}

size_t
bbp_edges_encode (unsigned char *bytes, const struct bbp_counts *edges)
{
  unsigned char *next = bytes;
  uintptr_t before = 0;
  for (size_t i = 0; i < edges->n; i++)
    {
      const struct bbp_count *edge = &edges->item[i];
      next = bbp_number_put (next, bbp_number_fold (edge->from - before));
      next = bbp_number_put (next, bbp_number_fold (edge->self - edge->from));
      next = bbp_number_put (next, edge->count);
      before = edge->from;
    }
  return (size_t) (next - bytes);
}
