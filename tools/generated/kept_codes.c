/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "collect/generated/codes_pack.h"
#include "collect/streams/samples_read.h"
#include "common/array.h"
#include "tools/generated/kept_codes.h"

bool
kept_codes_want (struct kept_codes *k, uint64_t address)
{
  if (!array_grow (&k->addresses, k->naddresses, &k->room_addresses, sizeof *k->addresses))
    return false;
  k->addresses[k->naddresses++] = address;
  return true;
}

static bool
sort_addresses (struct kept_codes *k)
{
  size_t n = 0;
  if (!array_sort_by_number (k->addresses, k->naddresses, sizeof *k->addresses, 0))
    return false;
  for (size_t i = 0; i < k->naddresses; i++)
    if (n == 0 || k->addresses[i] != k->addresses[n - 1])
      k->addresses[n++] = k->addresses[i];
  k->naddresses = n;
  return true;
}

/* The number of addresses below ADDRESS. */
static size_t
below (const struct kept_codes *k, uint64_t address)
{
  return ARRAY_BEFORE (i, k->naddresses, k->addresses[i] < address);
}

/* Calls TAKE for each piece of code in the file.  Damage ends it, as everywhere in that file. */
static bool
read_codes (struct kept_codes *k, const char *name,
            bool (*take) (struct kept_codes *, const struct generated_code *))
{
  struct chunks c;
  struct bbx_chunk chunk = { .type = 0 };
  struct error ignored;
  bool ok = true, more = samples_chunks_open (&c, name, &ignored);
  while (ok && more && chunk.type != BBX_TYPE_END && (more = chunks_next (&c, &chunk, &ignored)))
    if (chunk.type == BBS_TYPE_CODES)
      {
        struct codes_reading r;
        struct generated_code code;
        more = codes_open (&r, c.content.data, c.content.size);
        while (ok && more && codes_next (&r, &code, &more))
          ok = take (k, &code);
        codes_close (&r);
      }
  chunks_close (&c);
  return ok;
}

static void
free_code (struct kept_code *c)
{
  free (c->name);
  free (c->lines);
  free (c->files);
  free (c->bytes);
}

/* Copies the lines, whose files become one text. */
static bool
copy_lines (struct kept_code *to, const struct generated_code *code)
{
  size_t bytes = 1;
  for (size_t i = 0; i < code->nlines; i++)
    bytes += i > 0 && code->lines[i].file == code->lines[i - 1].file
                 ? 0
                 : strlen (code->lines[i].file) + 1;
  to->lines = malloc ((code->nlines + 1) * sizeof *to->lines);
  char *file = to->files = malloc (bytes), *next = file;
  if (!to->lines || !to->files)
    return false;
  for (size_t i = 0; i < code->nlines; i++)
    {
      if (i == 0 || code->lines[i].file != code->lines[i - 1].file)
        {
          file = next;
          next = stpcpy (file, code->lines[i].file) + 1;
        }
      to->lines[i] = code->lines[i];
      to->lines[i].file = file;
    }
  to->nlines = code->nlines;
  return true;
}

static bool
add_code (struct kept_codes *k, const struct generated_code *code)
{
  struct kept_code new
      = { .start = code->start, .size = code->size, .time = code->time, .from = code->from };
  if (!array_grow (&k->codes, k->n, &k->room, sizeof *k->codes))
    return false;
  if (!code->from && !((new.name = strdup (code->name)) && copy_lines (&new, code)))
    {
      free_code (&new);
      return false;
    }
  k->codes[k->n++] = new;
  return true;
}

/* A move is taken before the code, because the place that it came from is wanted, too. */
static bool
take_move (struct kept_codes *k, const struct generated_code *code)
{
  return !code->from || add_code (k, code);
}

static int
compare_times (const void *a, const void *b, void *context)
{
  const struct kept_code *x = a, *y = b;
  (void) context;
  return x->time < y->time ? -1 : x->time > y->time;
}

/* Drops moves to where nothing was sampled.  From the last to the first: an address that is wanted
   behind a move is wanted in front of it, too. */
static bool
follow_moves (struct kept_codes *k)
{
  bool ok = array_sort (k->codes, k->n, sizeof *k->codes, compare_times, NULL);
  size_t kept = k->n;
  for (size_t i = k->n; ok && i-- > 0;)
    {
      const struct kept_code move = k->codes[i];
      const size_t first = below (k, move.start), end = below (k, move.start + move.size);
      if (first == end)
        continue;
      for (size_t a = first; ok && a < end; a++)
        ok = kept_codes_want (k, k->addresses[a] - move.start + move.from);
      ok = ok && sort_addresses (k);
      k->codes[--kept] = move;
    }
  memmove (k->codes, k->codes + kept, (k->n - kept) * sizeof *k->codes);
  k->n -= kept;
  return ok;
}

/* A map that is written anew says the same again. */
static bool
is_known (const struct kept_codes *k, const struct generated_code *code)
{
  const struct kept_code *last = k->n > 0 ? &k->codes[k->n - 1] : NULL;
  return last && last->name && last->start == code->start && last->size == code->size
         && last->nlines == code->nlines && strcmp (last->name, code->name) == 0;
}

static bool
take_load (struct kept_codes *k, const struct generated_code *code)
{
  return code->from || below (k, code->start) == below (k, code->start + code->size)
         || is_known (k, code) || add_code (k, code);
}

/* Which code covered each address, and since when. */
static int
compare_coverings (const void *a, const void *b, void *context)
{
  const struct covering *x = a, *y = b;
  (void) context;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

static bool
is_same (const struct kept_code *x, const struct kept_code *y)
{
  return x->name && y->name && x->start == y->start && x->size == y->size && !x->nlines
         && !y->nlines && strcmp (x->name, y->name) == 0;
}

/* Code that is described again, while nothing else was there, is the same code. */
static void
unite_coverings (struct kept_codes *k)
{
  size_t n = 0;
  for (size_t i = 0; i < k->ncoverings; i++)
    {
      const struct covering *c = &k->coverings[i], *last = n > 0 ? &k->coverings[n - 1] : NULL;
      if (!last || last->address != c->address
          || !is_same (&k->codes[last->code], &k->codes[c->code]))
        k->coverings[n++] = *c;
    }
  k->ncoverings = n;
}

static bool
find_coverings (struct kept_codes *k)
{
  for (size_t i = 0; i < k->n; i++)
    {
      const struct kept_code *c = &k->codes[i];
      const size_t end = below (k, c->start + c->size);
      for (size_t a = below (k, c->start); a < end; a++)
        {
          if (!array_grow (&k->coverings, k->ncoverings, &k->room_coverings, sizeof *k->coverings))
            return false;
          k->coverings[k->ncoverings++] = (struct covering) { (uint32_t) a, (uint32_t) i, c->time };
        }
    }
  if (!array_sort (k->coverings, k->ncoverings, sizeof *k->coverings, compare_coverings, NULL))
    return false;
  unite_coverings (k);
  return true;
}

/* Moved code has the name and the lines of its origin.  In order of time, so that the origin of
   code that moved twice has its name. */
static bool
name_moved (struct kept_codes *k)
{
  bool several;
  for (size_t i = 0; i < k->n; i++)
    {
      struct kept_code *c = &k->codes[i];
      if (c->name)
        continue;
      const size_t first = below (k, c->start);
      const struct kept_code *origin = kept_codes_at (k, k->addresses[first] - c->start + c->from,
                                                      c->time > 0 ? c->time - 1 : 0, &several);
      const struct generated_code like
          = { .lines = origin ? origin->lines : NULL, .nlines = origin ? origin->nlines : 0 };
      c->origin = origin;
      c->name = strdup (origin && origin->name ? origin->name : "[moved code]");
      if (!c->name || !copy_lines (c, &like))
        return false;
      for (size_t l = 0; l < c->nlines; l++)
        c->lines[l].address += c->start - origin->start;
    }
  return true;
}

bool
kept_codes_read (struct kept_codes *k, const char *times_name)
{
  return sort_addresses (k) && read_codes (k, times_name, take_move) && follow_moves (k)
         && read_codes (k, times_name, take_load) && find_coverings (k) && name_moved (k);
}

struct kept_code *
kept_codes_at (const struct kept_codes *k, uint64_t address, uint64_t time, bool *several)
{
  const size_t a = below (k, address);
  *several = false;
  if (a == k->naddresses || k->addresses[a] != address)
    return NULL;
  const size_t first
      = ARRAY_BEFORE (i, k->ncoverings, k->coverings[i].address < a),
      end = ARRAY_BEFORE (i, k->ncoverings, k->coverings[i].address <= a),
      then = ARRAY_BEFORE (i, k->ncoverings,
                           k->coverings[i].address < a
                               || (k->coverings[i].address == a && k->coverings[i].time <= time));
  *several = end - first > 1;
  return first == end ? NULL : &k->codes[k->coverings[then > first ? then - 1 : first].code];
}

uint64_t
kept_codes_sampled (const struct kept_codes *k, const struct kept_code *c)
{
  const size_t end = below (k, c->start + c->size);
  return end > 0 && k->addresses[end - 1] >= c->start ? k->addresses[end - 1] + 1 - c->start : 0;
}

void
kept_codes_free (struct kept_codes *k)
{
  for (size_t i = 0; i < k->n; i++)
    free_code (&k->codes[i]);
  free (k->addresses);
  free (k->codes);
  free (k->coverings);
  *k = (struct kept_codes) { .n = 0 };
}
