/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long threads were ready after wake-ups.  Switches do not tell, but the kernel has a sum of
   each thread's ready time; what is not explained by preemptions was at the ends of sleeps. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

/* A sleep that ended with a wake-up. */
struct wake_up {
  uint64_t slept;    /* nanoseconds */
  uint64_t interval; /* index */
};

struct waits {
  struct timeline_thread *thread;
  uint64_t *wait; /* of each interval: ready time at its end */
  bool *estimated;
  struct wake_up *list; /* between two polls */
  size_t n, room;
  size_t nwaits; /* number of intervals with such a time */
};

/* Divides REST nanoseconds over the list: equal shares, but none longer than its sleep. */
static bool
divide (struct waits *w, uint64_t rest)
{
  bool estimated = w->n > 1;
  if (!array_sort_by_number (w->list, w->n, sizeof *w->list, offsetof (struct wake_up, slept)))
    return false;
  for (size_t i = 0; i < w->n && rest > 0; i++)
    {
      const struct wake_up *s = &w->list[i];
      uint64_t share = rest / (w->n - i);
      uint64_t wait = share < s->slept ? share : s->slept;
      w->nwaits += wait > 0;
      w->wait[s->interval] = wait;
      w->estimated[s->interval] = estimated;
      rest -= wait;
    }
  return true;
}

/* The ready time is unknown: the sleeps may have been shorter than their intervals. */
static void
leave_open (struct waits *w)
{
  for (size_t i = 0; i < w->n; i++)
    w->thread->intervals[w->list[i].interval].estimated = true;
}

/* The intervals from *NEXT on that end by TIME, in which the thread was ready for WAIT nanoseconds,
   or BBS_NOT_KNOWN.  It may also have been ready in a gap. */
static bool
add_part (struct waits *w, size_t *next, uint64_t time, uint64_t wait)
{
  const struct timeline_thread *t = w->thread;
  bool gap = false;
  w->n = 0;
  for (; *next < t->nintervals && t->intervals[*next].end <= time; ++*next)
    {
      const struct timeline_interval *i = &t->intervals[*next];
      uint64_t length = i->end - i->start;
      gap |= i->state == TIMELINE_UNKNOWN;
      if (i->state == TIMELINE_READY && wait != BBS_NOT_KNOWN)
        wait -= length < wait ? length : wait;
      else if (i->state == TIMELINE_SLEEPING && *next + 1 < t->nintervals
               && i[1].state == TIMELINE_RUNNING)
        {
          if (!array_grow (&w->list, w->n, &w->room, sizeof *w->list))
            return false;
          w->list[w->n++] = (struct wake_up) { .slept = length, .interval = *next };
        }
    }
  if (!gap && wait != BBS_NOT_KNOWN)
    return divide (w, wait);
  leave_open (w);
  return true;
}

static bool
find_waits (struct waits *w, const struct bbs_look *const *looks, size_t n, bool born)
{
  size_t next = 0;
  uint64_t before = born ? 0 : BBS_NOT_KNOWN;
  for (size_t l = 0; l < n; l++)
    {
      uint64_t wait = looks[l]->wait;
      if (wait == BBS_NOT_KNOWN)
        continue;
      uint64_t more = before == BBS_NOT_KNOWN ? BBS_NOT_KNOWN : wait < before ? 0 : wait - before;
      before = wait;
      if (!add_part (w, &next, looks[l]->time, more))
        return false;
    }
  return add_part (w, &next, UINT64_MAX, BBS_NOT_KNOWN); /* behind the last poll */
}

/* From the end, so that each interval is moved once. */
static bool
insert_waits (struct waits *w)
{
  struct timeline_thread *t = w->thread;
  size_t n = t->nintervals + w->nwaits;
  struct timeline_interval *all = w->nwaits > 0 ? realloc (t->intervals, n * sizeof *all)
                                                : t->intervals;
  if (w->nwaits > 0 && !all)
    return false;
  t->intervals = all;
  t->room = n > t->room ? n : t->room;
  for (size_t from = t->nintervals, to = n; from-- > 0;)
    {
      struct timeline_interval i = all[from];
      if (w->wait[from] > 0)
        {
          all[--to] = (struct timeline_interval) { .start = i.end - w->wait[from],
                                                   .end = i.end,
                                                   .state = TIMELINE_READY,
                                                   .estimated = w->estimated[from],
                                                   .call = BBS_CALL_NOT_KNOWN,
                                                   .cpu = BBS_CPU_UNKNOWN,
                                                   .counts = i.counts };
          i.end = all[to].start;
        }
      all[--to] = i;
    }
  t->nintervals = n;
  return true;
}

/* A thread that was ready for all of a sleep did not sleep. */
static void
drop_empty (struct timeline_thread *t)
{
  size_t kept = 0;
  for (size_t i = 0; i < t->nintervals; i++)
    if (t->intervals[i].start < t->intervals[i].end)
      t->intervals[kept++] = t->intervals[i];
  t->nintervals = kept;
}

bool
timeline_add_waits (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n,
                    bool born)
{
  struct waits w = { .thread = thread };
  if (thread->nintervals == 0)
    return true;
  w.wait = calloc (thread->nintervals, sizeof *w.wait);
  w.estimated = calloc (thread->nintervals, sizeof *w.estimated);
  bool ok = w.wait && w.estimated && find_waits (&w, looks, n, born) && insert_waits (&w);
  if (ok)
    drop_empty (thread);
  free (w.wait);
  free (w.estimated);
  free (w.list);
  return ok;
}
