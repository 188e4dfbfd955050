/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times change most.  The distances of regular ticks differ little, so the differences of
   distances are kept.  Everything else repeats, which is left to zstd. */
#include <stdlib.h>

#include "collect/streams/samples_pack.h"

enum { TIMES, CONTEXTS, TICKS, CPUS, LISTS };

/* A time is predicted from the last distance; the difference to that is written. */
static void
put_times (struct bytes *list, const struct bbs_sample *samples, size_t n)
{
  uint64_t before = 0;
  for (size_t i = 1; i < n; i++)
    {
      uint64_t distance = samples[i].time - samples[i - 1].time;
      bytes_put_number (list, bytes_fold (distance - before));
      before = distance;
    }
}

static void
put_lists (struct bytes *lists, const struct bbs_sample *samples, size_t n)
{
  put_times (&lists[TIMES], samples, n);
  for (size_t i = 0; i < n; i++)
    {
      bytes_put_number (&lists[CONTEXTS], samples[i].context);
      bytes_put_number (&lists[TICKS], samples[i].ticks);
      bytes_put_number (&lists[CPUS], samples[i].cpu);
    }
}

bool
samples_pack (struct packer *p, uint32_t thread, const struct bbs_sample *samples, size_t n,
              uint64_t lost, struct bytes *to)
{
  struct bytes lists[LISTS];
  bool ok = lists_begin (lists, LISTS, n * BYTES_NUMBER_MOST + 1)
            && bytes_reserve (to, sizeof (struct bbs_samples));
  if (ok)
    {
      put_lists (lists, samples, n);
      const struct bbs_samples head = { .thread = thread,
                                        .n = (uint32_t) n,
                                        .first = n ? samples[0].time : 0,
                                        .lost = lost,
                                        .bytes = lists_bytes (lists, LISTS) };
      bytes_put (to, &head, sizeof head);
      ok = pack_lists (p, lists, LISTS, to);
    }
  lists_free (lists, LISTS);
  return ok;
}

static bool
take_samples (struct reading *lists, const struct bbs_samples *head, struct bbs_sample *samples)
{
  uint64_t time = head->first, distance = 0, change, context, ticks, cpu;
  for (size_t i = 0; i < head->n; i++)
    {
      if (i > 0 && !reading_number (&lists[TIMES], &change))
        return false;
      if (i > 0)
        time += distance += bytes_unfold (change);
      if (!reading_number_most (&lists[CONTEXTS], UINT32_MAX, &context)
          || !reading_number_most (&lists[TICKS], UINT16_MAX, &ticks)
          || !reading_number_most (&lists[CPUS], UINT16_MAX, &cpu))
        return false;
      samples[i] = (struct bbs_sample) { .time = time,
                                         .context = (uint32_t) context,
                                         .ticks = (uint16_t) ticks,
                                         .cpu = (uint16_t) cpu };
    }
  return true;
}

bool
samples_unpack (const unsigned char *content, size_t n, struct bbs_samples *head,
                struct bbs_sample **samples)
{
  struct bytes memory = { .data = NULL };
  struct reading lists[LISTS];
  *samples = NULL;
  if (n < sizeof *head)
    return false;
  memcpy (head, content, sizeof *head);
  const uint64_t most = (head->n + 1UL) * LISTS * BYTES_NUMBER_MOST;
  bool ok = head->n <= BBS_CHUNK_MOST && head->bytes <= most
            && unpack_lists (content + sizeof *head, n - sizeof *head, head->bytes, &memory, lists,
                             LISTS)
            && (*samples = malloc (head->n * sizeof **samples + 1))
            && take_samples (lists, head, *samples);
  if (!ok)
    {
      free (*samples);
      *samples = NULL;
    }
  bytes_free (&memory);
  return ok;
}

/* Few flags words occur, but a new one may occur at any time.  WORDS: the words in the order of
   appearance; WHICH: for each sample the index of its word. */
enum { WHICH, WORDS, FLAGS_LISTS };

bool
samples_have_flags (const struct bbs_sample *samples, size_t n)
{
  uint32_t any = 0;
  for (size_t i = 0; i < n; i++)
    any |= samples[i].flags;
  return any != 0;
}

/* WORDS has room for N. */
static void
put_flags (struct bytes *lists, const struct bbs_sample *samples, size_t n, uint32_t *words)
{
  size_t nwords = 0;
  for (size_t i = 0; i < n; i++)
    {
      size_t which = 0;
      while (which < nwords && words[which] != samples[i].flags)
        which++;
      bytes_put_number (&lists[WHICH], which);
      if (which < nwords)
        continue;
      words[nwords++] = samples[i].flags;
      bytes_put_number (&lists[WORDS], samples[i].flags);
    }
}

bool
samples_pack_flags (struct packer *p, const struct bbs_sample *samples, size_t n, struct bytes *to)
{
  struct bytes lists[FLAGS_LISTS];
  uint32_t *words = malloc (n * sizeof *words + 1);
  bool ok = words && lists_begin (lists, FLAGS_LISTS, n * BYTES_NUMBER_MOST + 1)
            && bytes_reserve (to, sizeof (struct bbs_flags));
  if (ok)
    {
      put_flags (lists, samples, n, words);
      const struct bbs_flags head
          = { .n = (uint32_t) n, .bytes = lists_bytes (lists, FLAGS_LISTS) };
      bytes_put (to, &head, sizeof head);
      ok = pack_lists (p, lists, FLAGS_LISTS, to);
    }
  if (words)
    lists_free (lists, FLAGS_LISTS);
  free (words);
  return ok;
}

/* FLAGS and TABLE have room for N. */
static bool
take_flags (struct reading *lists, size_t n, uint32_t *flags, uint32_t *table)
{
  size_t known = 0;
  for (size_t i = 0; i < n; i++)
    {
      uint64_t which, word;
      if (!reading_number_most (&lists[WHICH], known, &which))
        return false;
      if (which == known)
        {
          if (!reading_number_most (&lists[WORDS], UINT32_MAX, &word))
            return false;
          table[known++] = (uint32_t) word;
        }
      flags[i] = table[which];
    }
  return true;
}

bool
samples_unpack_flags (const unsigned char *content, size_t n, struct bbs_flags *head,
                      uint32_t **words)
{
  struct bytes memory = { .data = NULL };
  struct reading lists[FLAGS_LISTS];
  *words = NULL;
  if (n < sizeof *head)
    return false;
  memcpy (head, content, sizeof *head);
  const uint64_t most = (head->n + 1UL) * FLAGS_LISTS * BYTES_NUMBER_MOST;
  bool ok = head->n <= BBS_CHUNK_MOST && head->bytes <= most
            && unpack_lists (content + sizeof *head, n - sizeof *head, head->bytes, &memory, lists,
                             FLAGS_LISTS)
            && (*words = malloc (2 * head->n * sizeof **words + 1))
            && take_flags (lists, head->n, *words, *words + head->n);
  if (!ok)
    {
      free (*words);
      *words = NULL;
    }
  bytes_free (&memory);
  return ok;
}
