/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "include/bbprof-file.h"
#include "model/files/gmon_bsd.h"
#include "model/files/gmon_write.h"

enum { TAG_HISTOGRAM = 0, TAG_CALL = 1, TAG_BLOCKS = 2 };

enum { VERSION = 1, HEADER_BYTES = 20 };

static void
put (const struct gmon_writer *w, uint64_t value, int bytes)
{
  unsigned char text[8];
  for (int i = 0; i < bytes; i++)
    text[w->shape->big_endian ? bytes - 1 - i : i] = (unsigned char) (value >> 8 * i);
  fwrite (text, 1, (size_t) bytes, w->output->file);
}

static void
put_address (const struct gmon_writer *w, uint64_t address)
{
  put (w, address, w->shape->pointer_bytes);
}

void
gmon_write_header (const struct gmon_writer *w, uint64_t run, bool exact_callers)
{
  fwrite ("gmon", 1, 4, w->output->file);
  put (w, VERSION, 4);
  put (w, exact_callers ? 0 : GMON_CALLERS_ROUNDED, GMON_RUN_OFFSET - GMON_FLAGS_OFFSET);
  put (w, run, HEADER_BYTES - GMON_RUN_OFFSET);
}

/* The number of records for a COUNT, if each has room for MOST. */
static uint64_t
count_parts (uint64_t count, uint64_t most)
{
  return count == 0 ? 1 : (count - 1) / most + 1;
}

/* Writes what is left of each bin without the first PASSED counts, as far as the field has room. */
static void
write_bins (const struct gmon_writer *w, const struct histogram *h, uint64_t passed)
{
  uint32_t next = 0;
  for (size_t i = 0; i < h->nfilled; i++)
    {
      const struct bin *bin = &h->bins[i];
      if (bin->count <= passed)
        continue;
      uint64_t left = bin->count - passed;
      output_zeros (w->output, 2 * (uint64_t) (bin->index - next));
      put (w, left < UINT16_MAX ? left : UINT16_MAX, 2);
      next = bin->index + 1;
    }
  output_zeros (w->output, 2 * (uint64_t) (h->nbins - next));
}

/* Writes one of several records. */
static void
write_pass (const struct gmon_writer *w, const struct profile *p, const struct histogram *h,
            uint64_t passed)
{
  put (w, TAG_HISTOGRAM, 1);
  put_address (w, h->low);
  put_address (w, h->high);
  put (w, h->nbins, 4);
  put (w, p->rate, 4);
  fwrite (p->dimension, 1, 15, w->output->file);
  putc (p->letter, w->output->file);
  write_bins (w, h, passed);
}

void
gmon_write_histogram (const struct gmon_writer *w, const struct profile *p,
                      const struct histogram *h)
{
  uint64_t most = 0;
  for (size_t i = 0; i < h->nfilled; i++)
    if (h->bins[i].count > most)
      most = h->bins[i].count;
  for (uint64_t i = 0; i < count_parts (most, UINT16_MAX); i++)
    write_pass (w, p, h, i * UINT16_MAX);
}

void
gmon_write_call (const struct gmon_writer *w, uint64_t from, uint64_t self, uint64_t count)
{
  for (uint64_t n = count_parts (count, UINT32_MAX); n > 0; n--)
    {
      uint64_t part = count < UINT32_MAX ? count : UINT32_MAX;
      put (w, TAG_CALL, 1);
      put_address (w, from);
      put_address (w, self);
      put (w, part, 4);
      count -= part;
    }
}

void
gmon_write_executions (const struct gmon_writer *w, const struct execution *list, size_t n)
{
  uint64_t most = w->shape->pointer_bytes == 8 ? UINT64_MAX : UINT32_MAX;
  uint64_t entries = 0;
  for (size_t i = 0; i < n; i++)
    entries += count_parts (list[i].count, most);
  put (w, TAG_BLOCKS, 1);
  put (w, entries, 4);
  for (size_t i = 0; i < n; i++)
    {
      uint64_t left = list[i].count;
      for (uint64_t k = count_parts (left, most); k > 0; k--)
        {
          uint64_t part = left < most ? left : most;
          put_address (w, list[i].address);
          put_address (w, part);
          left -= part;
        }
    }
}

void
gmon_write_bsd (const struct gmon_writer *w, const struct profile *p, bool has_version)
{
  static const struct histogram none = { 0 };
  const struct histogram *h = p->nhistograms > 0 ? &p->histograms[0] : &none;
  uint64_t header = 2 * (uint64_t) w->shape->pointer_bytes + 4 + (has_version ? 20 : 0);
  put_address (w, h->low);
  put_address (w, h->high);
  put (w, header + 2 * (uint64_t) h->nbins, 4);
  if (has_version)
    {
      put (w, GMON_44BSD_VERSION, 4);
      put (w, p->rate, 4);
      output_zeros (w->output, 12);
    }
  write_bins (w, h, 0);
}

void
gmon_write_bsd_call (const struct gmon_writer *w, uint64_t from, uint64_t self, uint64_t count)
{
  put_address (w, from);
  put_address (w, self);
  put_address (w, count);
}
