/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of what a thread did, in all or in a part of its time. */
#include "config.h"

#include <string.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

size_t
timeline_first (const struct timeline_thread *thread, uint64_t time)
{
  return ARRAY_BEFORE (i, thread->nintervals, thread->intervals[i].end <= time);
}

const struct timeline_interval *
timeline_at (const struct timeline_thread *thread, uint64_t time)
{
  size_t n = timeline_first (thread, time);
  return n < thread->nintervals && thread->intervals[n].start <= time ? &thread->intervals[n]
                                                                      : NULL;
}

static void
add_time (struct timeline_sums *sums, const struct timeline_interval *i, uint64_t from, uint64_t to)
{
  uint64_t start = i->start > from ? i->start : from, end = i->end < to ? i->end : to;
  sums->time[i->state] += end - start;
  if (i->state == TIMELINE_SLEEPING)
    sums->why[i->why] += end - start;
}

struct timeline_counts
timeline_counts (const struct timeline_thread *thread)
{
  const struct timeline_sums *s = &thread->sums;
  return (struct timeline_counts) { (uint32_t) s->voluntary, (uint32_t) s->involuntary,
                                    (uint32_t) s->migrations };
}

struct timeline_counts
timeline_counts_before (const struct timeline_thread *thread, uint64_t time)
{
  if (time >= thread->ended)
    return timeline_counts (thread);
  if (time <= thread->begun)
    return (struct timeline_counts) { .voluntary = 0 };
  const size_t n = timeline_first (thread, time - 1);
  return n < thread->nintervals ? thread->intervals[n].counts : timeline_counts (thread);
}

struct timeline_sums
timeline_sum (const struct timeline_thread *thread, uint64_t from, uint64_t to)
{
  struct timeline_sums sums = { .voluntary = 0 };
  if (from <= thread->begun && to >= thread->ended)
    return thread->sums;
  for (size_t n = timeline_first (thread, from);
       n < thread->nintervals && thread->intervals[n].start < to; n++)
    add_time (&sums, &thread->intervals[n], from, to);
  const struct timeline_counts before = timeline_counts_before (thread, from),
                               behind = timeline_counts_before (thread, to);
  sums.voluntary = behind.voluntary - before.voluntary;
  sums.involuntary = behind.involuntary - before.involuntary;
  sums.migrations = behind.migrations - before.migrations;
  return sums;
}

void
timeline_add_sums (struct timeline_thread *thread)
{
  memset (thread->sums.time, 0, sizeof thread->sums.time);
  memset (thread->sums.why, 0, sizeof thread->sums.why);
  for (size_t n = 0; n < thread->nintervals; n++)
    add_time (&thread->sums, &thread->intervals[n], thread->begun, thread->ended);
}
