/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/graph/code_calls.h"

struct scan {
  struct code_calls *calls;
  const struct symtab *symtab;
  const struct profile *profile;
  const unsigned char *text;
  uint64_t start, end; /* of the text: addresses */
};

/* Facts about the machine: whether a call is at ADDRESS, and its target. */
struct decoder {
  unsigned step;
  bool (*call) (const struct scan *, uint64_t address, uint64_t *target);
};

static uint32_t
word_at (const struct scan *s, uint64_t address)
{
  const unsigned char *p = s->text + (address - s->start);
  return p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
}

/* gprof takes each byte e8 for a call, and each distance as positive, so calls backwards are
   never found. */
static bool
x86_call (const struct scan *s, uint64_t address, uint64_t *target)
{
  if (s->end - address < 5 || s->text[address - s->start] != 0xe8)
    return false;
  *target = address + 5 + word_at (s, address + 1);
  return true;
}

static bool
aarch64_call (const struct scan *s, uint64_t address, uint64_t *target)
{
  uint32_t word = s->end - address < 4 ? 0 : word_at (s, address);
  if ((word & 0x7c000000) != 0x14000000)
    return false;
  *target = address + (((uint64_t) (word & 0x03ffffff) ^ 0x02000000) - 0x02000000) * 4;
  return true;
}

static const struct decoder *
decoder_of (const struct image *im)
{
  static const struct decoder x86 = { 1, x86_call }, aarch64 = { 4, aarch64_call };
  return im->machine == IMAGE_X86 ? &x86 : im->machine == IMAGE_AARCH64 ? &aarch64 : NULL;
}

bool
code_calls_can (const struct image *im)
{
  return decoder_of (im) != NULL;
}

static bool
is_covered (const struct profile *p, uint64_t address)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    if (address >= p->histograms[i].low && address < p->histograms[i].high)
      return true;
  return false;
}

/* Cuts LOW to HIGH down to the text, and to the first histogram that covers some of it. */
static void
clip (const struct scan *s, uint64_t *low, uint64_t *high)
{
  const struct profile *p = s->profile;
  size_t i = 0;
  while (i < p->nhistograms && (p->histograms[i].low >= *high || p->histograms[i].high <= *low))
    i++;
  uint64_t from = i < p->nhistograms ? p->histograms[i].low : *high,
           to = i < p->nhistograms ? p->histograms[i].high : *high;
  from = from > s->start ? from : s->start;
  to = to < s->end ? to : s->end;
  *low = from > *low ? from : *low;
  *high = to < *high ? to : *high;
}

static bool
find_in (const struct scan *s, const struct decoder *d, uint32_t parent)
{
  const struct symtab *t = s->symtab;
  uint64_t low = t->symbols[parent].address, high = t->symbols[parent + 1].address, target;
  clip (s, &low, &high);
  for (low = (low + d->step - 1) / d->step * d->step; low < high; low += d->step)
    {
      if (!d->call (s, low, &target) || !is_covered (s->profile, (uint32_t) target))
        continue;
      const struct symbol *child = symtab_find (t, target);
      if (!child || child->address != target)
        continue;
      if (!array_grow (&s->calls->all, s->calls->count, &s->calls->room, sizeof *s->calls->all))
        return false;
      s->calls->all[s->calls->count++]
          = (struct code_call) { .parent = parent, .child = (uint32_t) (child - t->symbols) };
    }
  return true;
}

bool
code_calls_find (struct code_calls *calls, const struct image *program, const struct symtab *t,
                 const struct profile *p, struct error *err)
{
  const struct decoder *d = decoder_of (program);
  size_t size;
  struct scan s = { .calls = calls, .symtab = t, .profile = p };
  unsigned char *text = image_section (program, ".text", &s.start, &size);
  bool ok = true;
  s.text = text;
  s.end = s.start + size;
  for (uint32_t i = 0; ok && d && text && i + 1 < t->count; i++)
    ok = find_in (&s, d, i);
  free (text);
  return ok || error_no_memory (err);
}

void
code_calls_free (struct code_calls *calls)
{
  free (calls->all);
  memset (calls, 0, sizeof *calls);
}
