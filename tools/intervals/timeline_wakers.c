/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Infers the thread that ended a wait.  Switches do not tell, so it is inferred from what ran at
   that moment: the thread that owned the lock, or the only thread of the program that ran.  With
   polls it is unknown what ran at a moment, so only a joined thread is inferred.  A sampler that
   wakes sleepers ends waits, too: for these nothing is inferred. */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

/* About the time that a wake-up takes: the waker may sleep by the end of it. */
enum { DELAY_NS = 100000 };

static bool
ran_at (const struct timeline_thread *thread, uint64_t time)
{
  const uint64_t from = time > DELAY_NS ? time - DELAY_NS : 0;
  for (size_t n = timeline_first (thread, from);
       n < thread->nintervals && thread->intervals[n].start < time; n++)
    if (thread->intervals[n].state == TIMELINE_RUNNING)
      return true;
  return false;
}

/* A time in which a thread has a processor. */
struct run {
  uint64_t start, end;
  uint64_t reach; /* latest END of this run and of the runs before it in the list */
  uint32_t thread;
};

/* Runs of all threads, by START. */
struct runs {
  struct run *list;
  size_t n, next;
};

static bool
find_runs (const struct timeline *t, struct runs *r)
{
  size_t room = 0;
  for (size_t i = 0; i < t->nthreads; i++)
    room += t->threads[i].nintervals;
  r->list = malloc ((room + 1) * sizeof *r->list);
  for (size_t i = 0; r->list && i < t->nthreads; i++)
    for (size_t k = 0; k < t->threads[i].nintervals; k++)
      {
        const struct timeline_interval *is = &t->threads[i].intervals[k];
        if (is->state == TIMELINE_RUNNING)
          r->list[r->n++]
              = (struct run) { .start = is->start, .end = is->end, .thread = (uint32_t) i };
      }
  if (!r->list || !array_sort_by_number (r->list, r->n, sizeof *r->list, 0))
    return false;
  for (size_t i = 0; i < r->n; i++)
    {
      const uint64_t before = i > 0 ? r->list[i - 1].reach : 0;
      r->list[i].reach = r->list[i].end > before ? r->list[i].end : before;
    }
  return true;
}

/* The only thread but WAITER that ran at TIME, or just before; UINT32_MAX: none, or several.  Must
   be called with ascending times. */
static uint32_t
only_one (struct runs *r, uint64_t time, uint32_t waiter)
{
  const uint64_t from = time > DELAY_NS ? time - DELAY_NS : 0;
  uint32_t only = UINT32_MAX;
  while (r->next < r->n && r->list[r->next].start < time)
    r->next++;
  for (size_t i = r->next; i-- > 0 && r->list[i].reach >= from;)
    {
      const struct run *run = &r->list[i];
      if (run->end < from || run->thread == waiter || run->thread == only)
        continue;
      if (only != UINT32_MAX)
        return UINT32_MAX;
      only = run->thread;
    }
  return only;
}

/* Was the thread sampled, and so woken up, when its sleep ended at TIME? */
static bool
was_sampled (const struct timeline_thread *thread, uint64_t time)
{
  const uint64_t from = time > DELAY_NS ? time - DELAY_NS : 0;
  for (size_t i = ARRAY_BEFORE (k, thread->nsamples, thread->samples[k].time < from);
       i < thread->nsamples && thread->samples[i].time <= time + DELAY_NS; i++)
    if (thread->samples[i].sleeps)
      return true;
  return false;
}

static void
set (struct timeline_wait *wait, uint32_t thread, enum timeline_waker how)
{
  wait->waker = thread;
  wait->waker_source = (uint8_t) how;
}

/* R: null with polls. */
static void
set_waker (struct timeline *t, struct runs *r, const struct timeline_wait_at *at)
{
  const struct timeline_thread *thread = &t->threads[at->thread];
  const struct timeline_interval *i = &thread->intervals[at->interval];
  struct timeline_wait *wait = &t->waits[i->wait - 1];
  const bool is_join = t->locks[wait->lock].why == BBS_WHY_THREAD;
  if (at->interval + 1 == thread->nintervals)
    return; /* it sleeps to its end */
  if (was_sampled (thread, i->end))
    return;
  if (is_join && wait->holder_source == TIMELINE_KNOWN
      && t->threads[wait->holder].ended <= i->end + DELAY_NS)
    set (wait, wait->holder, TIMELINE_WAKER_ENDED);
  else if (is_join || !r)
    return;
  else if (wait->holder_source != TIMELINE_ABSENT && ran_at (&t->threads[wait->holder], i->end))
    set (wait, wait->holder, TIMELINE_WAKER_HOLDER);
  else
    {
      const uint32_t only = only_one (r, i->end, at->thread);
      if (only != UINT32_MAX)
        set (wait, only, TIMELINE_WAKER_ONLY);
    }
}

static uint64_t
end_of (const struct timeline_interval *i)
{
  return i->end;
}

bool
timeline_add_wakers (struct timeline *t)
{
  const bool by_events = t->watch.how == BBS_BY_EVENTS;
  struct runs r = { .list = NULL };
  size_t n;
  struct timeline_wait_at *ended = timeline_waits (t, &n, end_of);
  const bool ok = ended && (n == 0 || !by_events || find_runs (t, &r));
  for (size_t i = 0; ok && i < n; i++)
    set_waker (t, by_events ? &r : NULL, &ended[i]);
  free (r.list);
  free (ended);
  return ok;
}
