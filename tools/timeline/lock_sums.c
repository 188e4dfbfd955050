/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/timeline/lock_sums.h"

static bool
add_holder (struct lock_sums *s, const struct timeline_wait *w, uint64_t time)
{
  size_t i = 0;
  if (w->holder_source == TIMELINE_ABSENT)
    return true;
  while (i < s->nholders && s->holders[i].thread != w->holder)
    i++;
  if (i == s->nholders)
    {
      if (!array_grow (&s->holders, i, &s->room, sizeof *s->holders))
        return false;
      s->holders[s->nholders++] = (struct lock_holder) { .thread = w->holder };
    }
  s->holders[i].time += time;
  s->holders[i].known += w->holder_source == TIMELINE_KNOWN;
  s->holders[i].inferred += w->holder_source == TIMELINE_INFERRED;
  return true;
}

static bool
add_wait (struct lock_sums *s, const struct timeline_wait *w, uint64_t time)
{
  s->waits++;
  s->time += time;
  s->inferred += w->source == TIMELINE_INFERRED;
  if (time > s->longest)
    {
      s->longest = time;
      s->function = w->function ? w->function : s->function;
    }
  return add_holder (s, w, time);
}

static bool
add_thread (struct lock_sums *sums, const struct timeline_view *v,
            const struct timeline_thread *thread)
{
  for (size_t i = timeline_first (thread, v->from);
       i < thread->nintervals && thread->intervals[i].start < v->to; i++)
    {
      const struct timeline_interval *is = &thread->intervals[i];
      const struct timeline_wait *w = timeline_wait_of (v->timeline, is);
      const uint64_t from = is->start > v->from ? is->start : v->from,
                     to = is->end < v->to ? is->end : v->to;
      if (w && !add_wait (&sums[w->lock], w, to - from))
        return false;
    }
  return true;
}

static int
compare_sums (const void *a, const void *b, void *context)
{
  const struct lock_sums *x = a, *y = b;
  (void) context;
  return x->time > y->time ? -1 : x->time < y->time;
}

static int
compare_holders (const void *a, const void *b, void *context)
{
  const struct lock_holder *x = a, *y = b;
  (void) context;
  return x->time > y->time ? -1 : x->time < y->time;
}

struct lock_sums *
lock_sums_make (const struct timeline_view *v, size_t *n)
{
  const size_t locks = v->timeline->nlocks;
  struct lock_sums *sums = calloc (locks + 1, sizeof *sums);
  bool ok = sums;
  for (size_t i = 0; ok && i < locks; i++)
    sums[i].lock = (uint32_t) i;
  for (size_t i = 0; ok && i < v->nthreads; i++)
    ok = add_thread (sums, v, &v->timeline->threads[v->threads[i]]);
  for (size_t i = 0; ok && i < locks; i++)
    ok = array_sort (sums[i].holders, sums[i].nholders, sizeof *sums[i].holders, compare_holders,
                     NULL);
  ok = ok && array_sort (sums, locks, sizeof *sums, compare_sums, NULL);
  *n = sums ? locks : 0;
  if (!ok)
    {
      lock_sums_free (sums, *n);
      return NULL;
    }
  while (*n > 0 && sums[*n - 1].waits == 0) /* these have no holders */
    --*n;
  return sums;
}

void
lock_sums_free (struct lock_sums *sums, size_t n)
{
  for (size_t i = 0; i < n; i++)
    free (sums[i].holders);
  free (sums);
}
