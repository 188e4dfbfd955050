/* SPDX-License-Identifier: MIT */
/* The records of gmon.out that freestanding programs write, too.  Numbers too large for their
   fields (32-bit arcs) are split into several records, which readers add up.  Context: cold. */
#include "runtime/base/base.h"
#include "runtime/dump/records.h"

#define MOST_IN_ARC UINT32_MAX
#define MOST_BLOCKS_IN_RECORD UINT32_MAX

void
bbp_record_header (struct bbp_out *out, uint64_t run, uint32_t moment)
{
  bbp_out_bytes (out, "gmon", 4);
  bbp_put (out, 1, 4);
  bbp_put (out, moment, 4);
  bbp_put (out, run, 8);
}

void
bbp_record_arc (struct bbp_out *out, const struct bbp_count *arc)
{
  for (uint64_t left = arc->count; left;)
    {
      uint64_t part = left < MOST_IN_ARC ? left : MOST_IN_ARC;
      bbp_put (out, BBP_TAG_ARC, 1);
      bbp_put (out, arc->from, 8);
      bbp_put (out, arc->self, 8);
      bbp_put (out, part, 4);
      left -= part;
    }
}

void
bbp_record_blocks (struct bbp_out *out, const struct bbp_count *blocks, size_t n)
{
  while (n)
    {
      size_t part = n < MOST_BLOCKS_IN_RECORD ? n : MOST_BLOCKS_IN_RECORD;
      bbp_put (out, BBP_TAG_BLOCKS, 1);
      bbp_put (out, part, 4);
      for (size_t i = 0; i < part; i++)
        {
          bbp_put (out, blocks[i].self, 8);
          bbp_put (out, blocks[i].count, 8);
        }
      blocks += part;
      n -= part;
    }
}
