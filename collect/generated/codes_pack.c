/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses and times ascend mostly, so their differences to those before are written.  Names
   repeat, which is left to zstd. */
#include <stdlib.h>

#include "collect/generated/codes_pack.h"
#include "common/array.h"
#include "include/bbprof-samples.h"

enum { CODE_NUMBERS = 5, LINE_NUMBERS = 3, BYTES_MOST = 1 << 20, UNPACKED_MOST = 64 << 20 };

static bool
is_new_file (const struct generated_code *code, size_t i)
{
  return i == 0 || strcmp (code->lines[i].file, code->lines[i - 1].file) != 0;
}

/* Makes room for everything of CODE. */
static bool
reserve (struct codes *c, const struct generated_code *code)
{
  size_t texts = code->name_bytes + 1;
  for (size_t i = 0; i < code->nlines; i++)
    texts += is_new_file (code, i) ? strlen (code->lines[i].file) + 1 : 0;
  return bytes_reserve (&c->lists[CODES_TEXTS], texts)
         && bytes_reserve (&c->lists[CODES_NUMBERS],
                           (CODE_NUMBERS + LINE_NUMBERS * code->nlines) * BYTES_NUMBER_MOST);
}

bool
codes_add (struct codes *c, const struct generated_code *code, uint64_t started)
{
  struct bytes *numbers = &c->lists[CODES_NUMBERS], *texts = &c->lists[CODES_TEXTS];
  const uint64_t time = code->time > started ? code->time - started : 0;
  uint64_t address = code->start, line = 0;
  if (!reserve (c, code))
    return false;
  bytes_put_number (numbers, bytes_fold (code->start - c->start));
  bytes_put_number (numbers, code->size);
  bytes_put_number (numbers, bytes_fold (time - c->time));
  bytes_put_number (numbers, code->from);
  bytes_put_number (numbers, code->nlines);
  bytes_put (texts, code->name, code->name_bytes);
  bytes_put (texts, "", 1);
  for (size_t i = 0; i < code->nlines; i++)
    {
      const struct generated_line *l = &code->lines[i];
      bytes_put_number (numbers, bytes_fold (l->address - address));
      bytes_put_number (numbers, bytes_fold (l->line - line));
      bytes_put_number (numbers, is_new_file (code, i));
      if (is_new_file (code, i))
        bytes_put (texts, l->file, strlen (l->file) + 1);
      address = l->address;
      line = l->line;
    }
  c->start = code->start;
  c->time = time;
  c->n++;
  return true;
}

bool
codes_are_full (const struct codes *c)
{
  return lists_bytes (c->lists, CODES_LISTS) > BYTES_MOST;
}

bool
codes_pack (struct codes *c, struct packer *p, struct bytes *to)
{
  const struct bbs_codes head = { .n = c->n, .bytes = lists_bytes (c->lists, CODES_LISTS) };
  if (!bytes_reserve (to, sizeof head))
    return false;
  bytes_put (to, &head, sizeof head);
  const bool ok = pack_lists (p, c->lists, CODES_LISTS, to);
  for (int i = 0; i < CODES_LISTS; i++)
    c->lists[i].size = 0;
  c->n = 0;
  c->start = c->time = 0;
  return ok;
}

void
codes_free (struct codes *c)
{
  lists_free (c->lists, CODES_LISTS);
}

bool
codes_open (struct codes_reading *r, const unsigned char *content, size_t n)
{
  struct bbs_codes head;
  *r = (struct codes_reading) { .left = 0 };
  if (n < sizeof head)
    return false;
  memcpy (&head, content, sizeof head);
  r->left = head.n;
  return head.bytes <= UNPACKED_MOST
         && unpack_lists (content + sizeof head, n - sizeof head, head.bytes, &r->unpacked,
                          r->lists, CODES_LISTS);
}

/* Null: no text is left. */
static const char *
take_text (struct codes_reading *r, size_t *n)
{
  struct reading *texts = &r->lists[CODES_TEXTS];
  const char *text = (const char *) texts->next;
  const unsigned char *zero = texts->next < texts->stop
                                  ? memchr (texts->next, '\0', (size_t) (texts->stop - texts->next))
                                  : NULL;
  if (!zero)
    return NULL;
  *n = (size_t) (zero - texts->next);
  texts->next = zero + 1;
  return text;
}

/* A number follows; differences are to BEFORE. */
static bool
take_difference (struct reading *numbers, uint64_t before, uint64_t most, uint64_t *value)
{
  uint64_t difference;
  if (!reading_number (numbers, &difference))
    return false;
  *value = before + bytes_unfold (difference);
  return *value < most;
}

static bool
take_lines (struct codes_reading *r, struct generated_code *code)
{
  struct reading *numbers = &r->lists[CODES_NUMBERS];
  uint64_t address = code->start, line = 0, is_new;
  const char *file = NULL;
  size_t n;
  for (size_t i = 0; i < code->nlines; i++)
    {
      if (!array_grow (&r->lines, i, &r->room, sizeof *r->lines)
          || !take_difference (numbers, address, GENERATED_ADDRESS_MOST, &address)
          || !take_difference (numbers, line, 1UL << 32, &line)
          || !reading_number_most (numbers, 1, &is_new)
          || (is_new ? !(file = take_text (r, &n)) : !file)
          || (i > 0 && address < r->lines[i - 1].address))
        return false;
      r->lines[i] = (struct generated_line) { address, (uint32_t) line, file };
    }
  code->lines = r->lines;
  return true;
}

static bool
take_code (struct codes_reading *r, struct generated_code *code)
{
  struct reading *numbers = &r->lists[CODES_NUMBERS];
  uint64_t nlines;
  if (!take_difference (numbers, r->start, GENERATED_ADDRESS_MOST, &code->start)
      || !reading_number (numbers, &code->size)
      || !take_difference (numbers, r->time, BBS_TIME_END, &code->time)
      || !reading_number_most (numbers, GENERATED_ADDRESS_MOST, &code->from)
      || !reading_number_most (numbers, UINT32_MAX, &nlines)
      || !generated_is_possible (code->start, code->size)
      || !(code->name = take_text (r, &code->name_bytes)))
    return false;
  code->nlines = (size_t) nlines;
  r->start = code->start;
  r->time = code->time;
  return take_lines (r, code);
}

bool
codes_next (struct codes_reading *r, struct generated_code *code, bool *good)
{
  *good = true;
  if (r->left == 0)
    return false;
  r->left--;
  *code = (struct generated_code) { .start = 0 };
  return *good = take_code (r, code);
}

void
codes_close (struct codes_reading *r)
{
  bytes_free (&r->unpacked);
  free (r->lines);
  *r = (struct codes_reading) { .left = 0 };
}
