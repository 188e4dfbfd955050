/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of what a thread did, in all or in a part of its time. */
#include "config.h"

#include <string.h>

#include "timeline_own.h"

size_t
timeline_first (const struct timeline_thread *thread, uint64_t time)
{
  size_t from = 0, to = thread->nintervals;
  while (from < to)
    {
      size_t middle = from + (to - from) / 2;
      if (thread->intervals[middle].end <= time)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

const struct timeline_interval *
timeline_at (const struct timeline_thread *thread, uint64_t time)
{
  size_t n = timeline_first (thread, time);
  return n < thread->nintervals && thread->intervals[n].start <= time ? &thread->intervals[n] : NULL;
}

static void
add_time (struct timeline_sums *sums, const struct timeline_interval *i, uint64_t from, uint64_t to)
{
  uint64_t start = i->start > from ? i->start : from, end = i->end < to ? i->end : to;
  sums->time[i->state] += end - start;
  if (i->state == TIMELINE_SLEEPING)
    sums->why[i->why] += end - start;
}

/* CPU: where the thread ran last. */
static void
add_switch (struct timeline_sums *sums, const struct timeline_interval *before, const struct timeline_interval *i, uint16_t cpu)
{
  bool ran = before && before->state == TIMELINE_RUNNING;
  sums->migrations += i->state == TIMELINE_RUNNING && cpu != BBS_CPU_UNKNOWN && i->cpu != BBS_CPU_UNKNOWN && i->cpu != cpu;
  sums->voluntary += ran && (i->state == TIMELINE_SLEEPING || (i->state == TIMELINE_READY && !i->preempted));
  sums->involuntary += ran && i->state == TIMELINE_READY && i->preempted;
}

/* Where it ran last before the Nth interval. */
static uint16_t
find_processor (const struct timeline_thread *thread, size_t n)
{
  while (n > 0)
    if (thread->intervals[--n].state == TIMELINE_RUNNING)
      return thread->intervals[n].cpu;
  return BBS_CPU_UNKNOWN;
}

struct timeline_sums
timeline_sum (const struct timeline_thread *thread, uint64_t from, uint64_t to)
{
  struct timeline_sums sums = { .voluntary = 0 };
  if (from <= thread->begun && to >= thread->ended)
    return thread->sums;
  size_t n = timeline_first (thread, from);
  uint16_t cpu = find_processor (thread, n);
  for (; n < thread->nintervals && thread->intervals[n].start < to; n++)
    {
      const struct timeline_interval *i = &thread->intervals[n];
      add_time (&sums, i, from, to);
      if (i->start >= from)
        add_switch (&sums, n > 0 ? i - 1 : NULL, i, cpu);
      if (i->state == TIMELINE_RUNNING)
        cpu = i->cpu;
    }
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
