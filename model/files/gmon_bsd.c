/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "model/files/gmon_bsd.h"

/* Hardly anything distinguishes a file of BSD from other files.  Unless the user asked for that
   format, errors are those for an ordinary gmon.out. */
struct reader {
  struct gmon_file *of;
  const struct gmon_shape *shape;
  unsigned char head[40]; /* the first bytes of the file */
  size_t nhead, nused;
  uint64_t offset; /* of the next byte */
  struct error *err;
};

static bool
refuse (struct reader *r, uint64_t offset, const char *why)
{
  if (ferror (r->of->file))
    return error_set (r->err, r->of->name, r->offset, "cannot read: %s", strerror (errno));
  if (r->shape->format == GMON_AUTO)
    return error_set (r->err, r->of->name, 0,
                      "not a profile: a gmon.out file begins with the letters gmon");
  return error_set (r->err, r->of->name, offset, "not a profile of BSD: %s", why);
}

/* Reads N bytes; fewer at the end of the file. */
static size_t
take (struct reader *r, void *to, size_t n)
{
  size_t kept = r->nhead - r->nused;
  kept = kept < n ? kept : n;
  memcpy (to, r->head + r->nused, kept);
  r->nused += kept;
  size_t got = kept + fread ((char *) to + kept, 1, n - kept, r->of->file);
  r->offset += got;
  return got;
}

/* Reads the header.  The rate stays 0 if it has none. */
static bool
read_header (struct reader *r, struct histogram_record *record)
{
  const struct gmon_shape *s = r->shape;
  size_t pb = (size_t) s->pointer_bytes, size = 2 * pb + 4, size_44 = size + 20;
  memcpy (r->head, r->of->head, r->of->nhead);
  r->nhead = r->of->nhead + fread (r->head + r->of->nhead, 1, size_44 - r->of->nhead, r->of->file);
  if (r->nhead < size)
    return refuse (r, r->nhead, "the file ends inside its header");
  record->low = gmon_number (s, r->head, (int) pb);
  record->high = gmon_number (s, r->head + pb, (int) pb);
  record->rate = 0;
  uint32_t bytes = (uint32_t) gmon_number (s, r->head + 2 * pb, 4);
  if (r->nhead == size_44 && gmon_number (s, r->head + size, 4) == GMON_44BSD_VERSION)
    {
      record->rate = (uint32_t) gmon_number (s, r->head + size + 4, 4);
      size = size_44;
    }
  else if (s->format == GMON_44BSD)
    return refuse (r, size, "it has not the version of 4.4BSD");
  if (record->high <= record->low || bytes < size + 2)
    return refuse (r, 0, "its histogram is empty");
  r->offset = r->nused = size;
  record->nbins = (bytes - (uint32_t) size) / 2;
  return true;
}

/* Reads the counters that are not zero. */
static bool
read_bins (struct reader *r, uint32_t nbins, struct bin **bins, size_t *nfilled)
{
  unsigned char bytes[4096];
  size_t room = 0;
  for (uint32_t i = 0; i < nbins;)
    {
      size_t n = nbins - i < sizeof bytes / 2 ? nbins - i : sizeof bytes / 2;
      if (take (r, bytes, 2 * n) < 2 * n)
        return refuse (r, r->offset, "the file ends inside its histogram");
      for (size_t k = 0; k < n; k++, i++)
        {
          uint64_t count = gmon_number (r->shape, bytes + 2 * k, 2);
          if (count == 0)
            continue;
          if (!array_grow (bins, *nfilled, &room, sizeof **bins))
            return error_no_memory (r->err);
          (*bins)[(*nfilled)++] = (struct bin) { .index = i, .count = count };
        }
    }
  return true;
}

/* Each of these files has one histogram, so all must have the same range, and the same rate if
   they have any. */
static bool
is_as_before (const struct profile *p, const struct histogram_record *record)
{
  const struct histogram *h = p->histograms;
  return p->nhistograms == 0
         || (h->low == record->low && h->high == record->high && h->nbins == record->nbins
             && (record->rate == 0 || p->rate == record->rate));
}

static bool
read_histogram (struct reader *r, struct profile *p)
{
  struct histogram_record record = { .dimension = "seconds", .letter = 's' };
  struct bin *bins = NULL;
  size_t nfilled = 0;
  if (!read_header (r, &record))
    return false;
  bool ok = read_bins (r, record.nbins, &bins, &nfilled);
  if (ok && !is_as_before (p, &record))
    ok = error_set (
        r->err, r->of->name, 0,
        "its histogram has other addresses, bins or another rate than that of the first profile");
  if (!ok)
    {
      free (bins);
      return false;
    }
  r->of->records.histograms++;
  if (record.rate == 0)
    record.rate = (uint32_t) sysconf (_SC_CLK_TCK);
  if (profile_add_histogram (p, &record, bins, nfilled, r->err))
    return true;
  r->err->file = r->of->name;
  r->err->offset = 0;
  return false;
}

static bool
read_calls (struct reader *r, struct profile *p)
{
  unsigned char bytes[3 * 8];
  const int pb = r->shape->pointer_bytes;
  const size_t size = 3 * (size_t) pb;
  const int count_bytes = r->shape->counts_of_4_bytes ? 4 : pb;
  p->has_calls = true;
  while (take (r, bytes, size) == size)
    {
      r->of->records.calls++;
      if (!profile_add_call (p, gmon_number (r->shape, bytes, pb),
                             gmon_number (r->shape, bytes + pb, pb),
                             gmon_number (r->shape, bytes + 2 * pb, count_bytes)))
        return error_no_memory (r->err);
    }
  return !ferror (r->of->file) || refuse (r, r->offset, "");
}

bool
gmon_bsd_read (struct profile *p, struct gmon_file *f, const struct gmon_shape *shape,
               struct error *err)
{
  struct reader r = { .of = f, .shape = shape, .err = err };
  return read_histogram (&r, p) && read_calls (&r, p);
}
