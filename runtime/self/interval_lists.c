/* SPDX-License-Identifier: MIT */
/* The last intervals of each thread, in a ring of its own. */
#include "runtime/base/base.h"
#include "runtime/self/intervals.h"

enum { ENDED = 64, FIRST_ROOM = 64 };

static struct {
  size_t keep; /* intervals of each thread */
  size_t n, room, ended;
  struct bbp_intervals **thread; /* by tid */
} lists;

static size_t
bytes_of_list (void)
{
  return sizeof (struct bbp_intervals) + lists.keep * sizeof (struct bbprof_interval);
}

bool
bbp_intervals_make (size_t keep)
{
  lists.keep = keep;
  lists.n = lists.ended = 0;
  lists.room = FIRST_ROOM;
  lists.thread = bbp_pages_map (lists.room * sizeof *lists.thread);
  return lists.thread;
}

void
bbp_intervals_drop (void)
{
  for (size_t i = 0; i < lists.n; i++)
    bbp_pages_unmap (lists.thread[i], bytes_of_list ());
  bbp_pages_unmap (lists.thread, lists.room * sizeof *lists.thread);
  lists.thread = NULL;
  lists.n = 0;
}

/* The index of the first list that is not of a lower tid. */
static size_t
position_of (int tid)
{
  size_t low = 0, high = lists.n;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (lists.thread[middle]->tid < tid)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

struct bbp_intervals *
bbp_intervals_of (int tid, bool last)
{
  size_t i = position_of (tid);
  struct bbp_intervals *t = i < lists.n && lists.thread[i]->tid == tid ? lists.thread[i] : NULL;
  return t && (last || !t->ended) ? t : NULL;
}

static struct bbp_intervals *
take_out (size_t i)
{
  struct bbp_intervals *t = lists.thread[i];
  lists.ended -= t->ended;
  lists.n--;
  for (; i < lists.n; i++)
    lists.thread[i] = lists.thread[i + 1];
  return t;
}

/* The thread that has ended first; there is one. */
static size_t
oldest_ended (void)
{
  size_t oldest = lists.n;
  for (size_t i = 0; i < lists.n; i++)
    if (lists.thread[i]->ended
        && (oldest == lists.n
            || bbp_intervals_now (lists.thread[i])->end
                   < bbp_intervals_now (lists.thread[oldest])->end))
      oldest = i;
  return oldest;
}

static bool
make_room (void)
{
  if (lists.n < lists.room)
    return true;
  struct bbp_intervals **more = bbp_pages_map (2 * lists.room * sizeof *more);
  if (!more)
    return false;
  bbp_copy_bytes (more, lists.thread, lists.n * sizeof *more);
  bbp_pages_unmap (lists.thread, lists.room * sizeof *more);
  lists.thread = more;
  lists.room *= 2;
  return true;
}

/* Its tid may be that of a thread that has ended. */
struct bbp_intervals *
bbp_intervals_add (int tid, uint64_t time, int state, int by)
{
  size_t i = position_of (tid);
  struct bbp_intervals *t = i < lists.n && lists.thread[i]->tid == tid ? take_out (i)
                            : lists.ended >= ENDED                     ? take_out (oldest_ended ())
                            : make_room () ? bbp_pages_map (bytes_of_list ())
                                           : NULL;
  if (!t)
    return NULL;
  *t = (struct bbp_intervals) { .tid = tid, .n = 1 };
  t->last[0] = (struct bbprof_interval) {
    .begin = time, .end = time, .state = state, .cpu = -1, .by = by, .why = "unknown"
  };
  i = position_of (tid);
  for (size_t k = lists.n++; k > i; k--)
    lists.thread[k] = lists.thread[k - 1];
  lists.thread[i] = t;
  return t;
}

void
bbp_intervals_each (void (*each) (struct bbp_intervals *, uint64_t time), uint64_t time)
{
  for (size_t i = 0; i < lists.n; i++)
    if (!lists.thread[i]->ended)
      each (lists.thread[i], time);
}

struct bbprof_interval *
bbp_intervals_now (struct bbp_intervals *t)
{
  return &t->last[(t->n - 1) % lists.keep];
}

void
bbp_intervals_know (struct bbp_intervals *t, uint64_t time)
{
  struct bbprof_interval *now = bbp_intervals_now (t);
  if (t->why && now->state == BBPROF_SLEEPING && now->begin <= t->why_time && t->why_time < time)
    now->why = t->why;
}

static void
finish (struct bbp_intervals *t, uint64_t time)
{
  struct bbprof_interval *now = bbp_intervals_now (t);
  now->end = time > now->begin ? time : now->begin;
  bbp_intervals_know (t, now->end);
}

/* An interval without duration is replaced; clocks of two processors differ by little. */
void
bbp_intervals_change (struct bbp_intervals *t, uint64_t time, int state, int cpu)
{
  struct bbprof_interval *now = bbp_intervals_now (t);
  const int by = now->by;
  if (now->state == state && now->cpu == cpu)
    return;
  finish (t, time);
  time = now->end;
  t->n += now->end > now->begin;
  *bbp_intervals_now (t) = (struct bbprof_interval) {
    .begin = time, .end = time, .state = state, .cpu = cpu, .by = by, .why = "unknown"
  };
}

void
bbp_intervals_end (struct bbp_intervals *t, uint64_t time)
{
  finish (t, time);
  lists.ended += !t->ended;
  t->ended = true;
}

int
bbp_intervals_copy (const struct bbp_intervals *t, struct bbprof_interval *intervals, int n,
                    uint64_t time)
{
  size_t have = t->n < lists.keep ? t->n : lists.keep;
  size_t wanted = n > 0 && (size_t) n < have ? (size_t) n : n > 0 ? have : 0;
  for (size_t i = 0; i < wanted; i++)
    intervals[i] = t->last[(t->n - wanted + i) % lists.keep];
  if (wanted && !t->ended)
    {
      struct bbprof_interval *now = &intervals[wanted - 1];
      now->end = time > now->begin ? time : now->begin;
      now->lasts = 1;
    }
  return (int) wanted;
}
