/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the lock that each sleep waited for.  A poll that was taken in the sleep says it.  For
   other sleeps it is inferred, if the thread's waits of the same kind, before and after, were for
   one lock. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

const struct timeline_wait *
timeline_wait_of (const struct timeline *t, const struct timeline_interval *i)
{
  return i->wait ? &t->waits[i->wait - 1] : NULL;
}

struct timeline_wait_at *
timeline_waits (const struct timeline *t, size_t *n,
                uint64_t (*of) (const struct timeline_interval *))
{
  struct timeline_wait_at *list = malloc ((t->nwaits + 1) * sizeof *list);
  *n = 0;
  for (size_t i = 0; list && i < t->nthreads; i++)
    for (size_t k = 0; k < t->threads[i].nintervals; k++)
      if (t->threads[i].intervals[k].wait)
        list[(*n)++] = (struct timeline_wait_at) { .key = of (&t->threads[i].intervals[k]),
                                                   .thread = (uint32_t) i,
                                                   .interval = (uint32_t) k };
  if (list && !array_sort_by_number (list, *n, sizeof *list, 0))
    {
      free (list);
      return NULL;
    }
  return list;
}

/* Waits that polls have observed. */

/* The index of LOOK's lock, which is added if it is new.  NUMBERS: numbers the locks from 1.
   UINT32_MAX: out of memory. */
static uint32_t
enter_lock (struct timeline *t, struct contexts *numbers, const struct bbs_look *look)
{
  /* Threads that are joined in turn may have had one address. */
  const bool is_join = look->why == BBS_WHY_THREAD && look->holder;
  const uint32_t number
      = contexts_enter (numbers, is_join, look->why, is_join ? look->holder : look->lock);
  if (number == 0)
    return UINT32_MAX;
  if (number > t->nlocks)
    {
      if (!array_grow (&t->locks, t->nlocks, &t->room_locks, sizeof *t->locks))
        return UINT32_MAX;
      t->locks[t->nlocks++] = (struct timeline_lock) { .address = look->lock,
                                                       .why = look->why,
                                                       .joined = UINT32_MAX };
    }
  struct timeline_lock *lock = &t->locks[number - 1];
  lock->type = look->type > lock->type ? look->type : lock->type;
  if (lock->stack == 0 && look->area != BBS_AREA_NOT_KNOWN)
    {
      lock->area = look->area;
      lock->stack = look->stack;
    }
  return number - 1;
}

/* The sleep that LOOK was taken in; by polls a sleep may end with its poll. */
static struct timeline_interval *
sleep_of (struct timeline_thread *thread, const struct bbs_look *look)
{
  const size_t n = timeline_first (thread, look->time);
  for (size_t i = n > 0 ? n - 1 : 0; i <= n && i < thread->nintervals; i++)
    {
      struct timeline_interval *is = &thread->intervals[i];
      if (is->state == TIMELINE_SLEEPING && is->why == look->why && is->start <= look->time
          && is->end >= look->time)
        return is;
    }
  return NULL;
}

static bool
add_wait (struct timeline *t, struct timeline_interval *i, uint32_t lock,
          enum timeline_source source, uint64_t caller)
{
  if (!array_grow (&t->waits, t->nwaits, &t->room_waits, sizeof *t->waits))
    return false;
  t->waits[t->nwaits++] = (struct timeline_wait) { .lock = lock,
                                                   .source = (uint8_t) source,
                                                   .holder = UINT32_MAX,
                                                   .waker = UINT32_MAX,
                                                   .caller = caller };
  i->wait = (uint32_t) t->nwaits;
  return true;
}

static bool
add_seen (struct timeline *t, struct contexts *numbers, const struct bbs_look *look)
{
  struct timeline_thread *thread = timeline_find_thread (t, look->tid, look->time);
  struct timeline_interval *is = thread ? sleep_of (thread, look) : NULL;
  if (!is || is->wait || look->state == 0)
    return true;
  const uint32_t lock = enter_lock (t, numbers, look);
  return lock != UINT32_MAX && add_wait (t, is, lock, TIMELINE_KNOWN, look->caller);
}

/* Waits that polls have not observed. */

enum { NEIGHBOURS = 4 };

/* Indices of the thread's intervals with a known lock, in order. */
struct seen {
  size_t *list, n, next;
};

/* The wait that the NEIGHBOURS before sleep I and behind it agree on; null: they do not agree, or
   there are none before, or none behind. */
static const struct timeline_wait *
agreed (const struct timeline *t, const struct timeline_thread *thread, const struct seen *seen,
        const struct timeline_interval *i)
{
  const struct timeline_wait *all = NULL;
  bool before = false, after = false;
  const size_t from = seen->next > NEIGHBOURS ? seen->next - NEIGHBOURS : 0;
  for (size_t k = from; k < seen->n && k < seen->next + NEIGHBOURS; k++)
    {
      const struct timeline_interval *other = &thread->intervals[seen->list[k]];
      const struct timeline_wait *wait = timeline_wait_of (t, other);
      if (other->why != i->why || other->call != i->call)
        continue;
      if (all && all->lock != wait->lock)
        return NULL;
      all = wait;
      before |= k < seen->next;
      after |= k >= seen->next;
    }
  return before && after ? all : NULL;
}

static bool
infer (struct timeline *t, struct timeline_thread *thread, struct seen *seen)
{
  for (size_t k = 0; seen->n > 0 && k < thread->nintervals; k++)
    {
      struct timeline_interval *i = &thread->intervals[k];
      while (seen->next < seen->n && seen->list[seen->next] < k)
        seen->next++;
      if (i->state != TIMELINE_SLEEPING || i->wait || !watched_is_lock (i->why))
        continue;
      const struct timeline_wait *wait = agreed (t, thread, seen, i);
      if (wait && !add_wait (t, i, wait->lock, TIMELINE_INFERRED, 0))
        return false;
    }
  return true;
}

static bool
add_inferred (struct timeline *t, struct timeline_thread *thread)
{
  struct seen seen = { .list = malloc ((thread->nintervals + 1) * sizeof *seen.list) };
  for (size_t k = 0; seen.list && k < thread->nintervals; k++)
    if (thread->intervals[k].wait)
      seen.list[seen.n++] = k;
  const bool ok = seen.list && infer (t, thread, &seen);
  free (seen.list);
  return ok;
}

bool
timeline_add_locks (struct timeline *t, const struct timeline_input *input)
{
  const struct watched *w = input->watched;
  struct contexts numbers = { .nodes = NULL };
  bool ok = true, any = false;
  for (size_t i = 0; ok && i < w->nlooks; i++)
    if (w->looks[i].lock)
      {
        ok = add_seen (t, &numbers, &w->looks[i]);
        any = true;
      }
  contexts_free (&numbers);
  for (size_t i = 0; any && ok && i < t->nthreads; i++)
    ok = add_inferred (t, &t->threads[i]);
  return ok;
}

/* Words. */

const char *
timeline_lock_kind (const struct timeline_lock *l)
{
  if (l->why == BBS_WHY_LOCK)
    return l->type == BBS_LOCK_LIBC ? "mutex" : l->type == BBS_LOCK_PI ? "PI futex" : "futex";
  if (l->why == BBS_WHY_CONDITION && l->type != BBS_LOCK_LIBC)
    return "futex";
  return watched_why_text (l->why);
}

const char *
timeline_area_name (enum bbs_area area)
{
  static const char *const names[BBS_AREAS] = { [BBS_AREA_NOT_KNOWN] = "unknown",
                                                [BBS_AREA_HEAP] = "heap",
                                                [BBS_AREA_STACK] = "stack",
                                                [BBS_AREA_ANONYMOUS] = "anonymous",
                                                [BBS_AREA_FILE] = "file" };
  return names[area < BBS_AREAS ? area : BBS_AREA_NOT_KNOWN];
}

const char *
timeline_source_name (enum timeline_source source)
{
  static const char *const names[TIMELINE_SOURCES] = {
    [TIMELINE_ABSENT] = "unknown", [TIMELINE_KNOWN] = "known", [TIMELINE_INFERRED] = "inferred"
  };
  return names[source < TIMELINE_SOURCES ? source : TIMELINE_ABSENT];
}

const char *
timeline_waker_name (enum timeline_waker waker)
{
  static const char *const names[] = { [TIMELINE_WAKER_ABSENT] = "unknown",
                                       [TIMELINE_WAKER_HOLDER] = "the holder ran",
                                       [TIMELINE_WAKER_ENDED] = "the joined thread ended",
                                       [TIMELINE_WAKER_ONLY] = "no other thread ran" };
  return names[waker <= TIMELINE_WAKER_ONLY ? waker : TIMELINE_WAKER_ABSENT];
}

void
timeline_lock_text (const struct timeline *t, const struct timeline_lock *l, char *text,
                    size_t size)
{
  const struct timeline_thread *thread = l->stack ? timeline_find_thread (t, l->stack, t->end)
                                                  : NULL;
  if (l->name)
    snprintf (text, size, "%s", l->name);
  else if (l->joined < t->nthreads)
    snprintf (text, size, "%s (%" PRIu32 ")", t->threads[l->joined].name,
              t->threads[l->joined].tid);
  else if (l->area == BBS_AREA_STACK && thread)
    snprintf (text, size, "stack of %s %#" PRIx64, thread->name, l->address);
  else if (l->area == BBS_AREA_NOT_KNOWN)
    snprintf (text, size, "%#" PRIx64, l->address);
  else
    snprintf (text, size, "%s%s %#" PRIx64, l->area == BBS_AREA_FILE ? "mapped " : "",
              timeline_area_name (l->area), l->address);
}
