/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing, at most half full: a lookup walks from the tid's home slot
   to the first free one. */
#include "config.h"

#include <stdlib.h>

#include "collect/watch/thread_table.h"
#include "include/bbprof-samples.h"

enum { ROOM_AT_FIRST = 64 };

static size_t
place_of (const struct thread_table *k, uint32_t tid)
{
  return tid * 2654435761U % (k->room ? k->room : 1);
}

static size_t
next (const struct thread_table *k, size_t i)
{
  return (i + 1) % k->room;
}

/* The slot of TID, or the free one where it belongs. */
static struct thread_entry *
slot_of (const struct thread_table *k, uint32_t tid)
{
  size_t i = place_of (k, tid);
  while (k->slots[i].tid != 0 && k->slots[i].tid != tid)
    i = next (k, i);
  return &k->slots[i];
}

static bool
grow (struct thread_table *k)
{
  struct thread_table more = { .n = k->n, .room = k->room ? 2 * k->room : ROOM_AT_FIRST };
  more.slots = calloc (more.room, sizeof *more.slots);
  if (!more.slots)
    return false;
  for (size_t i = 0; i < k->room; i++)
    if (k->slots[i].tid != 0)
      *slot_of (&more, k->slots[i].tid) = k->slots[i];
  free (k->slots);
  *k = more;
  return true;
}

struct thread_entry *
thread_table_find (const struct thread_table *k, uint32_t tid)
{
  struct thread_entry *slot = k->room ? slot_of (k, tid) : NULL;
  return slot && slot->tid == tid && tid != 0 ? slot : NULL;
}

struct thread_entry *
thread_table_add (struct thread_table *k, uint32_t tid)
{
  struct thread_entry *found = thread_table_find (k, tid);
  if (found || tid == 0 || (2 * (k->n + 1) > k->room && !grow (k)))
    return found;
  found = slot_of (k, tid);
  *found = (struct thread_entry) { .tid = tid, .last = BBS_SWITCH_KINDS };
  k->n++;
  return found;
}

/* Entries between the removed one and the next free slot may have been displaced by it: they are
   inserted again. */
void
thread_table_remove (struct thread_table *k, uint32_t tid)
{
  struct thread_entry *gone = thread_table_find (k, tid);
  if (!gone)
    return;
  gone->tid = 0;
  k->n--;
  for (size_t i = next (k, (size_t) (gone - k->slots)); k->slots[i].tid != 0; i = next (k, i))
    {
      const struct thread_entry moved = k->slots[i];
      k->slots[i].tid = 0;
      *slot_of (k, moved.tid) = moved;
    }
}

void
thread_table_free (struct thread_table *k)
{
  free (k->slots);
  *k = (struct thread_table) { .slots = NULL };
}
