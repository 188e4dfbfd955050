/* SPDX-License-Identifier: MIT */
/* Converts run-time to virtual addresses.  A function called by the library itself, such as a
   handler of the program's (handler_wrapper.c), is called from outside.  Context: cold, lock
   held. */
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

static const struct bbp_object *
caller_at (uintptr_t from)
{
  return from - bbp.own_low < bbp.own_high - bbp.own_low ? NULL : bbp_object_at (from);
}

/* Jumps to or from outside have no address there. */
static bool
leads_outside (const struct bbp_count *count)
{
  return (count->from & BBP_ARC_JUMP) && count->self == BBP_OUTSIDE_JUMP;
}

uint64_t
bbp_counts_resolve (struct bbp_counts *counts)
{
  uint64_t lost = 0;
  size_t kept = 0;
  for (size_t i = 0; i < counts->n; i++)
    {
      struct bbp_count count = counts->item[i];
      uintptr_t marks = count.from & BBP_ARC_MARKS, caller = count.from & ~BBP_ARC_MARKS;
      const struct bbp_object *self = bbp_object_at (count.self), *from = caller_at (caller);
      if (!self && !leads_outside (&count))
        {
          lost += count.count;
          continue;
        }
      count.self = self ? bbp_object_virtual (self, count.self) : count.self;
      count.from = marks | (from ? bbp_object_virtual (from, caller) : 0);
      counts->item[kept++] = count;
    }
  counts->n = kept;
  bbp_counts_unite (counts);
  return lost;
}
