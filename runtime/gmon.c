/* SPDX-License-Identifier: MIT */
/* The file gmon.out: header, histogram, arcs, block counts; plain, so that any gprof reads it.  All addresses are
   virtual ones.  Numbers that do not fit their fields (bins of 16 bits, arcs of 32) are written in several records, which
   readers add up.  Format: bbprof's doc/file-format.md.  Context: cold. */
#include "internal.h"

enum tag { TAG_HISTOGRAM = 0, TAG_ARC = 1, TAG_BLOCKS = 2 };

#define BIN_BYTES 2        /* gprof's own unit, so no sample is split between functions */
#define STRETCH_BYTES 4096 /* of a histogram of another object than the executable */
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

/* Samples from LOW on, below HIGH, and what of their bins stands in records before. */
struct stretch {
  uintptr_t low, high;
  const struct bbp_count *sample, *stop;
  uint64_t done;
};

/* Go to the next bin that has more than is done; returns its number, or that of all bins, and what is to be written. */
static size_t
next_bin (struct stretch *stretch, uint16_t *value)
{
  while (stretch->sample < stretch->stop)
    {
      size_t bin = (stretch->sample->self - stretch->low) / BIN_BYTES;
      uint64_t count = 0;
      for (; stretch->sample < stretch->stop && (stretch->sample->self - stretch->low) / BIN_BYTES == bin; stretch->sample++)
        count += stretch->sample->count;
      if (count > stretch->done)
        {
          count -= stretch->done;
          *value = count < MOST_IN_BIN ? (uint16_t) count : MOST_IN_BIN;
          return bin;
        }
    }
  return (stretch->high - stretch->low) / BIN_BYTES;
}

static void
write_histogram_record (struct bbp_out *out, struct stretch stretch)
{
  static const char dimension[15] = "seconds";
  size_t nbins = (stretch.high - stretch.low) / BIN_BYTES;
  put8 (out, TAG_HISTOGRAM);
  put64 (out, stretch.low);
  put64 (out, stretch.high);
  put32 (out, (uint32_t) nbins);
  put32 (out, (uint32_t) bbp_sampler_rate ());
  bbp_out_bytes (out, dimension, sizeof dimension);
  put8 (out, 's');
  uint16_t value = 0;
  for (size_t next = 0; next < nbins; next++)
    {
      size_t bin = next_bin (&stretch, &value);
      bbp_out_zeros (out, (bin - next) * sizeof value);
      if (bin < nbins)
        put16 (out, value);
      next = bin;
    }
}

/* What a bin cannot hold stands in further records of the same stretch. */
static void
write_stretch (struct bbp_out *out, struct stretch stretch)
{
  uint16_t value;
  struct stretch rest;
  do
    {
      write_histogram_record (out, stretch);
      stretch.done += MOST_IN_BIN;
      rest = stretch;
    }
  while (next_bin (&rest, &value) < (stretch.high - stretch.low) / BIN_BYTES);
}

static const struct bbp_count *
samples_below (const struct bbp_counts *samples, const struct bbp_count *sample, uintptr_t high)
{
  while (sample < samples->item + samples->n && sample->self < high)
    sample++;
  return sample;
}

/* The executable's text is one record, samples or not.  Of other objects there are records of the pages with samples:
   those of two files are the same page, or have nothing in common, so that any gprof adds them up. */
static void
write_histograms (struct bbp_out *out, const struct bbp_counts *samples)
{
  const struct bbp_object *executable = bbp_object_executable ();
  uintptr_t low = bbp_object_virtual (executable, bbp.low), high = bbp_object_virtual (executable, bbp.high);
  const struct bbp_count *sample = samples_below (samples, samples->item, low), *stop;
  if (bbp.samples)
    write_stretch (out, (struct stretch) { low, high, sample, samples_below (samples, sample, high), 0 });
  for (sample = samples->item; sample < samples->item + samples->n; sample = stop)
    {
      uintptr_t page = sample->self & -(uintptr_t) STRETCH_BYTES;
      stop = sample + 1;
      if (sample->self - low < high - low)
        continue;
      stop = samples_below (samples, sample, page + STRETCH_BYTES);
      write_stretch (out, (struct stretch) { page, page + STRETCH_BYTES, sample, stop, 0 });
    }
}

static void
write_arc (struct bbp_out *out, const struct bbp_count *arc)
{
  for (uint64_t left = arc->count; left;)
    {
      uint32_t part = left < MOST_IN_ARC ? (uint32_t) left : MOST_IN_ARC;
      put8 (out, TAG_ARC);
      put64 (out, arc->from);
      put64 (out, arc->self);
      put32 (out, part);
      left -= part;
    }
}

static void
write_blocks (struct bbp_out *out, const struct bbp_count *blocks, size_t n)
{
  while (n)
    {
      uint32_t part = n < MOST_BLOCKS_IN_RECORD ? (uint32_t) n : MOST_BLOCKS_IN_RECORD;
      put8 (out, TAG_BLOCKS);
      put32 (out, part);
      for (uint32_t i = 0; i < part; i++)
        {
          put64 (out, blocks[i].self);
          put64 (out, blocks[i].count);
        }
      blocks += part;
      n -= part;
    }
}

void
bbp_gmon_write (struct bbp_out *out, const struct bbp_profile *profile, uint64_t run)
{
  static const char magic[4] = "gmon";
  bbp_out_bytes (out, magic, sizeof magic);
  put32 (out, 1);
  put32 (out, 0);
  put64 (out, run);
  write_histograms (out, &profile->samples);
  for (size_t i = 0; i < profile->arcs.n; i++)
    write_arc (out, &profile->arcs.item[i]);
  write_blocks (out, profile->flow.list[BBP_BLOCKS].item, profile->flow.list[BBP_BLOCKS].n);
}
