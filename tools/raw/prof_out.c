/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/raw/prof_out.h"

enum { MOST_UNSORTED = 1 << 20, WORD_MOST = 8 };

bool
prof_out_add (struct prof_out *p, uint64_t address, uint64_t count)
{
  if (!array_grow (&p->counts, p->n, &p->room, sizeof *p->counts))
    return false;
  p->counts[p->n++] = (struct prof_out_count) { address, count };
  return true;
}

void
prof_out_free (struct prof_out *p)
{
  free (p->counts);
  *p = (struct prof_out) { .counts = NULL };
}

/* Merges equal addresses. */
static bool
unite (struct prof_out *p)
{
  size_t n = 0;
  if (!array_sort_by_number (p->counts, p->n, sizeof *p->counts,
                             offsetof (struct prof_out_count, address)))
    return false;
  for (size_t i = 0; i < p->n; i++)
    if (n > 0 && p->counts[n - 1].address == p->counts[i].address)
      p->counts[n - 1].count += p->counts[i].count;
    else
      p->counts[n++] = p->counts[i];
  p->n = n;
  return true;
}

static uint64_t
number (const unsigned char *word, unsigned bytes, bool big_endian)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value = value << 8 | word[big_endian ? i : bytes - 1 - i];
  return value;
}

/* Memory is proportional to the number of different addresses, not of samples. */
static bool
read_words (struct prof_out *p, FILE *file, const char *name, unsigned bytes, bool big_endian,
            struct error *err)
{
  unsigned char word[WORD_MOST];
  size_t got, limit = MOST_UNSORTED;
  uint64_t offset = 0;
  for (; (got = fread (word, 1, bytes, file)) == bytes; offset += bytes)
    {
      if (!prof_out_add (p, number (word, bytes, big_endian), 1))
        return error_no_memory (err);
      if (p->n < limit)
        continue;
      if (!unite (p))
        return error_no_memory (err);
      limit = p->n + MOST_UNSORTED;
    }
  if (ferror (file))
    return error_set (err, name, offset, "cannot be read: %s", strerror (errno));
  if (got > 0)
    return error_set (
        err, name, offset,
        "ends inside of an address: expected %u bytes, found %zu (--words says how long they are)",
        bytes, got);
  return unite (p) || error_no_memory (err);
}

static bool
is_long (FILE *file)
{
  char begin[sizeof PROF_OUT_LONG - 1];
  bool is = fread (begin, 1, sizeof begin, file) == sizeof begin
            && memcmp (begin, PROF_OUT_LONG, sizeof begin) == 0;
  rewind (file);
  return is;
}

bool
prof_out_read (struct prof_out *p, const char *name, unsigned bytes, bool big_endian,
               struct error *err)
{
  *p = (struct prof_out) { .counts = NULL };
  FILE *file = fopen (name, "r");
  if (!file)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  bool ok = !is_long (file)
            || error_set (err, name, ERROR_NO_OFFSET,
                          "is the long form of record --raw, which is text for other programs; "
                          "without --long it is addresses");
  ok = ok && read_words (p, file, name, bytes, big_endian, err);
  fclose (file);
  return ok;
}

void
prof_out_put (FILE *out, uint64_t address, unsigned bytes)
{
  const uint32_t half = address <= UINT32_MAX ? (uint32_t) address : 0;
  if (bytes == sizeof half)
    fwrite (&half, sizeof half, 1, out);
  else
    fwrite (&address, sizeof address, 1, out);
}
