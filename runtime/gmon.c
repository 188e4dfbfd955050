/* SPDX-License-Identifier: MIT */
/* The file gmon.out: header, histogram, arcs, block counts; plain, so that any gprof reads it.  All addresses are those of
   link time.  Numbers that do not fit their fields (bins of 16 bits, arcs of 32) are written in several records, which
   readers add up.  Format: bbprof's doc/file-format.md.  Context: cold. */
#include "internal.h"

enum tag { TAG_HISTOGRAM = 0, TAG_ARC = 1, TAG_BLOCKS = 2 };

#define MOST_IN_BIN UINT16_MAX
#define MOST_IN_ARC UINT32_MAX
#define MOST_BLOCKS_IN_RECORD UINT32_MAX

static void
put8 (struct bbp_out *out, uint8_t value)
{
  bbp_out_bytes (out, &value, sizeof value);
}

static void
put16 (struct bbp_out *out, uint16_t value)
{
  bbp_out_bytes (out, &value, sizeof value);
}

static void
put32 (struct bbp_out *out, uint32_t value)
{
  bbp_out_bytes (out, &value, sizeof value);
}

static void
put64 (struct bbp_out *out, uint64_t value)
{
  bbp_out_bytes (out, &value, sizeof value);
}

static uint64_t
link_time (uintptr_t address)
{
  return address - bbp.image.bias;
}

/* One record with what is left of each bin after ROUND records of full ones; false if nothing was. */
static bool
more_in_bins (const uint32_t *bins, size_t nbins, uint32_t round)
{
  for (size_t i = 0; i < nbins; i++)
    if (bins[i] > round * MOST_IN_BIN)
      return true;
  return false;
}

static void
write_histogram_record (struct bbp_out *out, const uint32_t *bins, size_t nbins, uint32_t round)
{
  static const char dimension[15] = "seconds";
  put8 (out, TAG_HISTOGRAM);
  put64 (out, link_time (bbp.low));
  put64 (out, link_time (bbp.high));
  put32 (out, (uint32_t) nbins);
  put32 (out, (uint32_t) bbp_sampler_rate ());
  bbp_out_bytes (out, dimension, sizeof dimension);
  put8 (out, 's');
  for (size_t i = 0; i < nbins; i++)
    {
      uint32_t done = round * MOST_IN_BIN, left = bins[i] > done ? bins[i] - done : 0;
      put16 (out, left < MOST_IN_BIN ? left : MOST_IN_BIN);
    }
}

static void
write_histogram (struct bbp_out *out)
{
  size_t nbins;
  const uint32_t *bins = bbp_histogram_bins (&nbins);
  if (!nbins)
    return;
  uint32_t round = 0;
  do
    write_histogram_record (out, bins, nbins, round++);
  while (more_in_bins (bins, nbins, round));
}

static void
write_arc (struct bbp_out *out, const struct bbp_arc *arc)
{
  for (uint64_t left = arc->count; left;)
    {
      uint32_t part = left < MOST_IN_ARC ? (uint32_t) left : MOST_IN_ARC;
      put8 (out, TAG_ARC);
      put64 (out, arc->from ? link_time (arc->from) : 0);
      put64 (out, link_time (arc->self));
      put32 (out, part);
      left -= part;
    }
}

static void
write_blocks (struct bbp_out *out, const struct bbp_block_count *blocks, size_t n)
{
  while (n)
    {
      uint32_t part = n < MOST_BLOCKS_IN_RECORD ? (uint32_t) n : MOST_BLOCKS_IN_RECORD;
      put8 (out, TAG_BLOCKS);
      put32 (out, part);
      for (uint32_t i = 0; i < part; i++)
        {
          put64 (out, link_time (blocks[i].address));
          put64 (out, blocks[i].count);
        }
      blocks += part;
      n -= part;
    }
}

void
bbp_gmon_write (struct bbp_out *out, const struct bbp_profile *profile)
{
  static const char magic[4] = "gmon", spare[12];
  bbp_out_bytes (out, magic, sizeof magic);
  put32 (out, 1);
  bbp_out_bytes (out, spare, sizeof spare);
  write_histogram (out);
  for (size_t i = 0; i < profile->arcs.n; i++)
    write_arc (out, &profile->arcs.arc[i]);
  write_blocks (out, profile->blocks, profile->nblocks);
}
