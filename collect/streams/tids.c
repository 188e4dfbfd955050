/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that are created together have neighbouring tids, so a new tid is written as the
   difference to the previous new one. */
#include <stdlib.h>

#include "collect/streams/tids.h"

bool
tids_begin (struct tids *t, size_t most, bool write)
{
  *t = (struct tids) { .places = 2 };
  while (t->places < 2 * most)
    t->places *= 2;
  t->tids = malloc ((most + 1) * sizeof *t->tids);
  t->finder = write ? calloc (t->places, sizeof *t->finder) : NULL;
  return t->tids && (t->finder || !write);
}

void
tids_free (struct tids *t)
{
  free (t->tids);
  free (t->finder);
}

/* The slot of TID in the finder, or the free slot for it. */
static size_t
place_of (const struct tids *t, uint32_t tid)
{
  size_t place = (tid * 0x9e3779b97f4a7c15UL >> 32) & (t->places - 1);
  while (t->finder[place] && t->tids[t->finder[place] - 1] != tid)
    place = (place + 1) & (t->places - 1);
  return place;
}

static uint32_t
newest (const struct tids *t)
{
  return t->n ? t->tids[t->n - 1] : 0;
}

size_t
tids_write (struct tids *t, uint32_t tid, struct bytes *new)
{
  uint32_t *place = &t->finder[place_of (t, tid)];
  if (*place == 0)
    {
      bytes_put_number (new, bytes_fold ((uint64_t) tid - newest (t)));
      t->tids[t->n++] = tid;
      *place = (uint32_t) t->n;
    }
  return *place - 1;
}

bool
tids_read (struct tids *t, uint64_t number, struct reading *new)
{
  uint64_t difference;
  if (number < t->n)
    return true;
  if (number > t->n || !reading_number (new, &difference))
    return false;
  const uint64_t tid = newest (t) + bytes_unfold (difference);
  t->tids[t->n++] = (uint32_t) tid;
  return tid <= UINT32_MAX;
}
