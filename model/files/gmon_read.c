/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "include/bbprof-file.h"
#include "model/files/gmon_bsd.h"
#include "model/files/gmon_read.h"

enum { TAG_HISTOGRAM = 0, TAG_CALL = 1, TAG_BLOCKS = 2 };

enum { HEADER_BYTES = 20 };

/* A profile's addresses are rounded outwards to a multiple of this. */
#define ROUND 4

/* No writer rounds further than this. */
#define SLACK 64

/* Histograms of shared objects cover whole pages. */
#define PAGE 4096

struct gmon_shape
gmon_shape_unknown (void)
{
  return (struct gmon_shape) { .pointer_bytes = 8,
                               .code_high = UINT64_MAX - SLACK,
                               .segment_high = UINT64_MAX - SLACK,
                               .format = GMON_MAGIC };
}

struct reader {
  struct gmon_file *of;
  FILE *file;
  const char *name;
  uint64_t offset; /* of the next byte */
  uint64_t record; /* of the record's first byte, for messages */
  const struct gmon_shape *shape;
  const struct gmon_moves *moves;
  struct error *err;
  unsigned version;
  struct gmon_counts *records;
  uint64_t facts;  /* addresses with a count, in this file */
  uint64_t inside; /* of these: in the program's code, or moved */
  bool overlaps;   /* a histogram covers some of the program's code */
};

static bool
fail (struct reader *r, uint64_t offset, const char *text)
{
  return error_set (r->err, r->name, offset, "%s", text);
}

/* Reads N bytes.  WHAT names them in the message if the file ends before. */
static bool
take (struct reader *r, void *to, size_t n, const char *what)
{
  size_t got = fread_unlocked (to, 1, n, r->file);
  r->offset += got;
  if (got == n)
    return true;
  if (ferror (r->file))
    return error_set (r->err, r->name, r->offset, "cannot read: %s", strerror (errno));
  return error_set (r->err, r->name, r->offset,
                    "the file ends inside %s that begins at byte %" PRIu64
                    ": %zu more bytes expected; it was cut off, so run the program again",
                    what, r->record, n - got);
}

const struct gmon_move *
gmon_find_move (const struct gmon_moves *moves, uint64_t first, uint64_t end)
{
  size_t before = ARRAY_BEFORE (i, moves->count, moves->moves[i].end <= first);
  return before < moves->count && moves->moves[before].start < end ? &moves->moves[before] : NULL;
}

uint64_t
gmon_moved (const struct gmon_moves *moves, uint64_t address)
{
  const struct gmon_move *m = gmon_find_move (moves, address, address + 1);
  return m ? address + m->distance : address;
}

/* ADDRESS, as in the file, has a count. */
static void
note_fact (struct reader *r, uint64_t address)
{
  r->facts++;
  r->inside += (address >= r->shape->code_low && address < r->shape->code_high)
               || gmon_find_move (r->moves, address, address + 1);
}

/* Does the histogram have the extent of a whole program, but of another one?  It ends with the code
   or, where constants are in one segment with that, with the segment. */
static bool
is_of_other_program (const struct gmon_shape *s, uint64_t low, uint64_t high)
{
  if (s->has_default && low <= s->default_low && low + ROUND > s->default_low)
    return high < s->default_high
           || (high >= s->default_high + SLACK && high + SLACK <= s->segment_high)
           || high > s->segment_high + SLACK;
  return low < s->code_high && s->code_low < high && high > s->segment_high + SLACK;
}

/* Reads the counters of a histogram record that are not zero. */
static bool
read_bins (struct reader *r, const struct histogram_record *record, struct bin **bins,
           size_t *nfilled)
{
  unsigned char buffer[4096];
  size_t room = 0;
  uint64_t code_bytes = record->high - record->low;

  for (uint32_t i = 0; i < record->nbins;)
    {
      uint32_t n = record->nbins - i;
      if (n > sizeof buffer / 2)
        n = sizeof buffer / 2;
      if (!take (r, buffer, 2 * (size_t) n, "a histogram"))
        return false;
      for (uint32_t k = 0; k < n; k++, i++)
        {
          uint64_t count = gmon_number (r->shape, buffer + 2 * k, 2);
          if (count == 0)
            continue;
          if (!array_grow (bins, *nfilled, &room, sizeof **bins))
            return error_no_memory (r->err);
          (*bins)[(*nfilled)++] = (struct bin) { .index = i, .count = count };
          note_fact (r, record->low + (uint64_t) ((double) code_bytes / record->nbins * i));
        }
    }
  return true;
}

static bool
read_histogram (struct reader *r, struct profile *p)
{
  r->records->histograms++;
  unsigned char head[2 * 8 + 4 + 4 + 16];
  int pb = r->shape->pointer_bytes;
  size_t size = 2 * (size_t) pb + 24;
  if (!take (r, head, size, "a histogram"))
    return false;
  const unsigned char *q = head + 2 * pb;
  struct histogram_record record = { .low = gmon_number (r->shape, head, pb),
                                     .high = gmon_number (r->shape, head + pb, pb),
                                     .nbins = (uint32_t) gmon_number (r->shape, q, 4),
                                     .rate = (uint32_t) gmon_number (r->shape, q + 4, 4),
                                     .letter = (char) q[23] };
  memcpy (record.dimension, q + 8, 15);
  if (record.high <= record.low)
    return fail (r, r->record, "damaged histogram: its addresses end before they begin");
  if (record.nbins == 0)
    return fail (r, r->record, "damaged histogram: it has no bins");
  const struct gmon_move *move = gmon_find_move (r->moves, record.low, record.high);
  if (move && (record.high > move->end + PAGE || record.low + PAGE < move->start))
    return fail (r, r->record, "damaged histogram: it goes beyond its shared object");
  if (!move && is_of_other_program (r->shape, record.low, record.high))
    r->of->doubtful |= !error_set (
        &r->of->doubt, r->name, r->record,
        "the profile seems to be of another program, or of another build: it is of code at "
        "0x%" PRIx64 " to 0x%" PRIx64 ", this program's is at 0x%" PRIx64 " to 0x%" PRIx64,
        record.low, record.high, r->shape->has_default ? r->shape->default_low : r->shape->code_low,
        r->shape->has_default ? r->shape->default_high : r->shape->code_high);

  struct bin *bins = NULL;
  size_t nfilled = 0;
  if (!read_bins (r, &record, &bins, &nfilled))
    {
      free (bins);
      return false;
    }
  r->overlaps |= record.low < r->shape->code_high && r->shape->code_low < record.high;
  record.high += move ? move->distance : 0;
  record.low += move ? move->distance : 0;
  if (profile_add_histogram (p, &record, bins, nfilled, r->err))
    return true;
  r->err->file = r->name;
  r->err->offset = r->record;
  return false;
}

static bool
read_call (struct reader *r, struct profile *p)
{
  r->records->calls++;
  unsigned char bytes[2 * 8 + 4];
  int pb = r->shape->pointer_bytes;
  if (!take (r, bytes, 2 * (size_t) pb + 4, "a call record"))
    return false;
  uint64_t from = gmon_number (r->shape, bytes, pb);
  uint64_t self = gmon_number (r->shape, bytes + pb, pb);
  note_fact (r, self);
  return profile_add_call (p, gmon_moved (r->moves, from), gmon_moved (r->moves, self),
                           gmon_number (r->shape, bytes + 2 * pb, 4))
         || error_no_memory (r->err);
}

/* Version 0 has strings among the block counts. */
static bool
skip_string (struct reader *r)
{
  char c;
  do
    if (!take (r, &c, 1, "block counts"))
      return false;
  while (c != '\0');
  return true;
}

static bool
read_blocks (struct reader *r, struct profile *p)
{
  unsigned char bytes[2 * 8];
  int pb = r->shape->pointer_bytes;
  bool old = r->version == 0;
  if (!take (r, bytes, 4, "block counts"))
    return false;
  uint32_t n = (uint32_t) gmon_number (r->shape, bytes, 4);
  r->records->blocks++;
  p->has_executions = true;
  if (old && !skip_string (r))
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      if (!take (r, bytes, 2 * (size_t) pb, "block counts"))
        return false;
      uint64_t first = gmon_number (r->shape, bytes, pb);
      uint64_t second = gmon_number (r->shape, bytes + pb, pb);
      uint64_t address = old ? second : first;
      uint64_t count = old ? first : second;
      if (old && !(skip_string (r) && skip_string (r) && take (r, bytes, 4, "block counts")))
        return false;
      if (count > 0)
        note_fact (r, address);
      if (!profile_add_execution (p, gmon_moved (r->moves, address), count))
        return error_no_memory (r->err);
    }
  return true;
}

static bool
read_records (struct reader *r, struct profile *p)
{
  int tag;
  while (r->record = r->offset, (tag = getc (r->file)) != EOF)
    {
      r->offset++;
      bool ok = tag == TAG_HISTOGRAM ? read_histogram (r, p)
                : tag == TAG_CALL    ? read_call (r, p)
                : tag == TAG_BLOCKS  ? read_blocks (r, p)
                                     : error_set (r->err, r->name, r->record,
                                                  "damaged: a record of kind %d, but there are "
                                                   "only 0 (histogram), 1 (call) and 2 (blocks)",
                                                  tag);
      if (!ok)
        return false;
    }
  if (ferror (r->file))
    return error_set (r->err, r->name, r->offset, "cannot read: %s", strerror (errno));
  if (r->facts > 0 && r->inside == 0 && !r->overlaps)
    r->of->doubtful |= !error_set (&r->of->doubt, r->name, ERROR_NO_OFFSET,
                                   "the profile seems to be of another program: none of its "
                                   "addresses is in this one's code (0x%" PRIx64 " to 0x%" PRIx64
                                   ")",
                                   r->shape->code_low, r->shape->code_high);
  return true;
}

static bool
open_file (struct gmon_file *f, struct error *err)
{
  struct stat st;
  if (strcmp (f->name, "-") == 0)
    {
      f->file = stdin;
      f->name = "standard input";
      return true;
    }
  f->file = fopen (f->name, "rb");
  if (!f->file)
    return errno == ENOENT
               ? error_set (err, f->name, ERROR_NO_OFFSET,
                            "there is no such profile; run the program to its end, or name one")
               : error_set (err, f->name, ERROR_NO_OFFSET, "cannot open the profile: %s",
                            strerror (errno));
  if (fstat (fileno (f->file), &st) == 0 && S_ISDIR (st.st_mode))
    return error_set (err, f->name, ERROR_NO_OFFSET, "is a directory, not a profile");
  return true;
}

static bool
read_header (struct gmon_file *f, const struct gmon_shape *shape, struct error *err)
{
  unsigned char header[HEADER_BYTES];
  size_t got = fread (header, 1, sizeof header, f->file);
  if (got < sizeof header && ferror (f->file))
    return error_set (err, f->name, ERROR_NO_OFFSET, "cannot read: %s", strerror (errno));
  if (got == 0)
    return error_set (
        err, f->name, ERROR_NO_OFFSET,
        "the file is empty: the program ended before it could write it; run it again");
  bool is_bsd = shape->format == GMON_BSD || shape->format == GMON_44BSD;
  if (is_bsd || memcmp (header, "gmon", got < 4 ? got : 4) != 0)
    {
      if (shape->format == GMON_MAGIC)
        return error_set (err, f->name, 0,
                          "not a profile: a gmon.out file begins with the letters gmon");
      f->is_bsd = true;
      memcpy (f->head, header, f->nhead = got);
      return true;
    }
  if (got < sizeof header)
    return error_set (
        err, f->name, got,
        "the file ends inside its header: %zu more bytes expected; run the program again",
        sizeof header - got);
  f->version = (unsigned) gmon_number (shape, header + 4, 4);
  f->run = gmon_number (shape, header + GMON_RUN_OFFSET, 8);
  f->moment = GMON_MOMENT (gmon_number (shape, header + GMON_FLAGS_OFFSET, 4));
  f->exact_callers = f->run != 0
                     && (gmon_number (shape, header + GMON_FLAGS_OFFSET, 4) & GMON_CALLERS_ROUNDED)
                            == 0;
  if (f->version > 1)
    return error_set (err, f->name, 4, "version %u of gmon.out is unknown, 0 or 1 expected%s",
                      f->version,
                      f->version == 0x01000000 ? " (from a machine of the other byte order?)" : "");
  return true;
}

bool
gmon_open (struct gmon_file *f, const char *name, const struct gmon_shape *shape, struct error *err)
{
  *f = (struct gmon_file) { .name = name };
  return open_file (f, err) && read_header (f, shape, err);
}

void
gmon_close (struct gmon_file *f)
{
  if (f->file && f->file != stdin)
    fclose (f->file);
  f->file = NULL;
}

bool
gmon_read (struct profile *p, struct gmon_file *f, const struct gmon_shape *shape,
           const struct gmon_moves *moves, struct error *err)
{
  if (f->is_bsd)
    return gmon_bsd_read (p, f, shape, err);
  struct reader r = { .of = f,
                      .file = f->file,
                      .name = f->name,
                      .offset = HEADER_BYTES,
                      .shape = shape,
                      .moves = moves,
                      .err = err,
                      .version = f->version,
                      .records = &f->records };
  bool ok = read_records (&r, p);
  f->outside = r.facts - r.inside;
  return ok;
}
