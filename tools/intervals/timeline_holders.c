/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the thread that owned a lock while another one waited for it.  A mutex names its owner, so
   each poll of any waiter tells it for that moment.  Without such a moment in the wait it is
   inferred: the last thread with a wait for the lock that ended before this one, if it has not
   waited again since. */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

/* A lock named its owner at that time. */
struct moment {
  uint64_t time;
  uint32_t thread;
};

/* Of one lock, while the waits are visited by their ends. */
struct of_lock {
  struct moment *moments;
  size_t n, room;
  uint32_t last; /* the thread of the wait for it that ended last; UINT32_MAX: none yet */
  uint64_t ended;
};

static bool
may_have_owner (const struct timeline_lock *l)
{
  return l->why == BBS_WHY_LOCK || l->why == BBS_WHY_RWLOCK || l->why == BBS_WHY_THREAD;
}

/* Adds the owner that LOOK names, if it is another thread that lived then. */
static bool
add_moment (struct timeline *t, struct of_lock *locks, const struct bbs_look *look)
{
  const struct timeline_thread *waiter = timeline_find_thread (t, look->tid, look->time),
                               *holder = timeline_find_thread (t, look->holder, look->time);
  if (!waiter || !holder || holder == waiter || holder->begun > look->time
      || holder->ended < look->time)
    return true;
  const struct timeline_interval *i = timeline_at (waiter, look->time);
  if (!i || !i->wait)
    i = timeline_at (waiter, look->time > 0 ? look->time - 1 : 0);
  if (!i || !i->wait)
    return true;
  struct of_lock *of = &locks[t->waits[i->wait - 1].lock];
  if (t->locks[of - locks].address != look->lock || !may_have_owner (&t->locks[of - locks]))
    return true;
  if (!array_grow (&of->moments, of->n, &of->room, sizeof *of->moments))
    return false;
  of->moments[of->n++]
      = (struct moment) { .time = look->time, .thread = (uint32_t) (holder - t->threads) };
  return true;
}

/* The first moment of the wait at which another thread than the waiter owned the lock. */
static const struct moment *
moment_of (const struct of_lock *of, const struct timeline_interval *i, uint32_t waiter)
{
  for (size_t k = ARRAY_BEFORE (m, of->n, of->moments[m].time < i->start);
       k < of->n && of->moments[k].time <= i->end; k++)
    if (of->moments[k].thread != waiter)
      return &of->moments[k];
  return NULL;
}

static uint64_t
end_of (const struct timeline_interval *i)
{
  return i->end;
}

/* A thread that releases a lock may wait for it again before the thread that it woke up runs. */
enum { DELAY_NS = 100000 };

/* Did the thread wait for the lock again between FROM and TO, or end? */
static bool
waited_again (const struct timeline *t, const struct timeline_thread *thread, uint32_t lock,
              uint64_t from, uint64_t to)
{
  enum { MOST = 64 }; /* intervals; with more, nothing is inferred */
  size_t n = timeline_first (thread, from);
  to = to > DELAY_NS ? to - DELAY_NS : 0;
  for (size_t left = MOST; n < thread->nintervals && thread->intervals[n].start < to; n++, left--)
    {
      const struct timeline_wait *w = timeline_wait_of (t, &thread->intervals[n]);
      if (left == 0 || (w && w->lock == lock && thread->intervals[n].start >= from))
        return true;
    }
  return thread->ended < to;
}

static void
set_holder (struct timeline *t, const struct of_lock *of, const struct timeline_wait_at *at)
{
  const struct timeline_interval *i = &t->threads[at->thread].intervals[at->interval];
  struct timeline_wait *wait = &t->waits[i->wait - 1];
  struct timeline_lock *lock = &t->locks[wait->lock];
  const struct moment *m = moment_of (of, i, at->thread);
  if (m)
    {
      wait->holder = m->thread;
      wait->holder_source = TIMELINE_KNOWN;
      wait->holder_time = m->time;
      if (lock->why == BBS_WHY_THREAD)
        lock->joined = m->thread;
    }
  else if (of->last != UINT32_MAX && of->last != at->thread && lock->why == BBS_WHY_LOCK
           && !waited_again (t, &t->threads[of->last], wait->lock, of->ended, i->end))
    {
      wait->holder = of->last;
      wait->holder_source = TIMELINE_INFERRED;
      wait->holder_time = of->ended;
    }
}

bool
timeline_add_holders (struct timeline *t, const struct timeline_input *input)
{
  const struct watched *w = input->watched;
  size_t n;
  struct of_lock *locks = calloc (t->nlocks + 1, sizeof *locks);
  struct timeline_wait_at *waits = timeline_waits (t, &n, end_of);
  bool ok = locks && waits;
  for (size_t i = 0; ok && i < t->nlocks; i++)
    locks[i].last = UINT32_MAX;
  for (size_t i = 0; ok && i < w->nlooks; i++)
    if (w->looks[i].lock && w->looks[i].holder && w->looks[i].state != 0)
      ok = add_moment (t, locks, &w->looks[i]);
  for (size_t i = 0; ok && i < n; i++)
    {
      const struct timeline_interval *is
          = &t->threads[waits[i].thread].intervals[waits[i].interval];
      struct of_lock *of = &locks[t->waits[is->wait - 1].lock];
      set_holder (t, of, &waits[i]);
      of->last = waits[i].thread;
      of->ended = is->end;
    }
  for (size_t i = 0; locks && i < t->nlocks; i++)
    free (locks[i].moments);
  free (locks);
  free (waits);
  return ok;
}
