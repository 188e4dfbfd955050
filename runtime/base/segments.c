/* SPDX-License-Identifier: MIT */
/* Append-only lists of numbered items.  Segments, each twice as large as the previous one, are
   created on demand and never move.  Lock-free: if two threads create the same segment at once, one
   thread's memory stays unused.  Context: any. */
#include "include/bbprof-live.h"
#include "runtime/base/base.h"

/* The segment of item INDEX, counted from 0. */
static uint32_t
segment_of (const struct bbp_segments *list, uint32_t index)
{
  return 31 - (uint32_t) __builtin_clz (index / list->first + 1);
}

uint32_t
bbp_segments_room (const struct bbp_segments *list, uint32_t i)
{
  return list->first << i;
}

static char *
item_in (const struct bbp_segments *list, char *segment, uint32_t i, uint32_t index)
{
  return segment + (size_t) (index - list->first * ((1U << i) - 1)) * list->bytes;
}

void *
bbp_segments_at (const struct bbp_segments *list, uint32_t number)
{
  if (number - 1 >= bbp_segments_used (list))
    return NULL;
  uint32_t i = segment_of (list, number - 1);
  char *segment = __atomic_load_n (&list->segment[i], __ATOMIC_ACQUIRE);
  return segment ? item_in (list, segment, i, number - 1) : NULL;
}

static char *
make (struct bbp_segments *list, uint32_t i)
{
  void *none = NULL, *made = bbp_slice_map (list->kind, i + 1, 0,
                                            (size_t) bbp_segments_room (list, i) * list->bytes);
  if (made
      && __atomic_compare_exchange_n (&list->segment[i], &none, made, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
    {
      bbp_slice_ready (made);
      return made;
    }
  return none;
}

/* The memory of item NUMBER, creating its segment if needed. */
static void *
memory_of (struct bbp_segments *list, uint32_t number)
{
  uint32_t i = segment_of (list, number - 1), most = list->segments ? list->segments : BBP_SEGMENTS;
  if (i >= most)
    return NULL;
  char *segment = __atomic_load_n (&list->segment[i], __ATOMIC_ACQUIRE);
  if (!segment)
    segment = make (list, i);
  return segment ? item_in (list, segment, i, number - 1) : NULL;
}

void *
bbp_segments_reach (struct bbp_segments *list, uint32_t number)
{
  void *item = memory_of (list, number);
  uint32_t used = bbp_segments_used (list);
  while (item && used < number
         && !__atomic_compare_exchange_n (&list->used, &used, number, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE))
    ;
  return item;
}

uint32_t
bbp_segments_add (struct bbp_segments *list)
{
  uint32_t used = bbp_segments_used (list);
  do
    if (!memory_of (list, used + 1))
      return 0;
  while (!__atomic_compare_exchange_n (&list->used, &used, used + 1, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE));
  return used + 1;
}

uint32_t
bbp_segments_used (const struct bbp_segments *list)
{
  return __atomic_load_n (&list->used, __ATOMIC_ACQUIRE);
}
