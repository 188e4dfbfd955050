/* SPDX-License-Identifier: MIT */
/* Writes gmon.out: header, histogram, arcs, block counts; plain, so that any gprof reads it.  All
   addresses are virtual.  Numbers too large for their fields (16-bit bins, 32-bit arcs) are split
   into several records, which readers add up.  Format: bbprof's doc/reference/files/gmon.md.
   Context: cold. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/records.h"
#include "runtime/objects/objects.h"

#define BIN_BYTES 2        /* gprof's unit, so no sample is split between functions */
#define STRETCH_BYTES 4096 /* bytes of a histogram for an object other than the executable */
#define MOST_IN_BIN UINT16_MAX

/* A range of samples, from LOW, below HIGH; DONE: what previous records hold of its bins. */
struct stretch {
  uintptr_t low, high;
  const struct bbp_count *sample, *stop;
  uint64_t done;
};

/* Advances to the next bin that has samples not written yet.  Returns its number and the value to
   be written; or the number of all bins. */
static size_t
next_bin (struct stretch *stretch, uint16_t *value)
{
  while (stretch->sample < stretch->stop)
    {
      size_t bin = (stretch->sample->self - stretch->low) / BIN_BYTES;
      uint64_t count = 0;
      for (; stretch->sample < stretch->stop
             && (stretch->sample->self - stretch->low) / BIN_BYTES == bin;
           stretch->sample++)
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
  bbp_put (out, BBP_TAG_HISTOGRAM, 1);
  bbp_put (out, stretch.low, 8);
  bbp_put (out, stretch.high, 8);
  bbp_put (out, nbins, 4);
  bbp_put (out, (uint64_t) bbp_dump_above.rate (), 4);
  bbp_out_bytes (out, dimension, sizeof dimension);
  bbp_put (out, 's', 1);
  uint16_t value = 0;
  for (size_t next = 0; next < nbins; next++)
    {
      size_t bin = next_bin (&stretch, &value);
      bbp_out_zeros (out, (bin - next) * sizeof value);
      if (bin < nbins)
        bbp_put (out, value, 2);
      next = bin;
    }
}

/* Counts too large for a bin go into further records of the same range. */
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
  } while (next_bin (&rest, &value) < (stretch.high - stretch.low) / BIN_BYTES);
}

static const struct bbp_count *
samples_below (const struct bbp_counts *samples, const struct bbp_count *sample, uintptr_t high)
{
  while (sample < samples->item + samples->n && sample->self < high)
    sample++;
  return sample;
}

/* The executable's text is one record, with or without samples.  Other objects have a record for
   each page with samples.  Records of two files cover either the same page or disjoint ones, so any
   gprof adds them up. */
static void
write_histograms (struct bbp_out *out, const struct bbp_counts *samples)
{
  const struct bbp_object *executable = bbp_object_executable ();
  uintptr_t low = bbp_object_virtual (executable, bbp.low),
            high = bbp_object_virtual (executable, bbp.high);
  const struct bbp_count *sample = samples_below (samples, samples->item, low), *stop;
  if (bbp.samples)
    write_stretch (
        out, (struct stretch) { low, high, sample, samples_below (samples, sample, high), 0 });
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

void
bbp_gmon_write (struct bbp_out *out, const struct bbp_profile *profile, uint64_t run,
                uint32_t moment)
{
  bbp_record_header (out, run, moment);
  write_histograms (out, &profile->samples);
  for (size_t i = 0; i < profile->arcs.n; i++)
    bbp_record_arc (out, &profile->arcs.item[i]);
  bbp_record_blocks (out, profile->flow.list[BBP_BLOCKS].item, profile->flow.list[BBP_BLOCKS].n);
}
