/* SPDX-License-Identifier: MIT */
/* From run-time to virtual addresses.  Who is called by the library itself, a handler of the program's (front.c), is called from
   outside.  Context: cold, lock held. */
#include "internal.h"

static const struct bbp_object *
caller_at (uintptr_t from)
{
  return from - bbp.own_low < bbp.own_high - bbp.own_low ? NULL : bbp_object_at (from);
}

uint64_t
bbp_counts_resolve (struct bbp_counts *counts)
{
  uint64_t lost = 0;
  size_t kept = 0;
  for (size_t i = 0; i < counts->n; i++)
    {
      struct bbp_count count = counts->item[i];
      const struct bbp_object *self = bbp_object_at (count.self), *from = caller_at (count.from);
      if (!self)
        {
          lost += count.count;
          continue;
        }
      count.self = bbp_object_virtual (self, count.self);
      count.from = from ? bbp_object_virtual (from, count.from) : 0;
      counts->item[kept++] = count;
    }
  counts->n = kept;
  bbp_counts_unite (counts);
  return lost;
}
