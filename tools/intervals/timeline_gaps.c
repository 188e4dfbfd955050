/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lost records of one processor, between two times.  A thread that ran on another processor all the
   time is not affected; any other may have run here. */
#include "config.h"

#include <string.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

static bool
is_concerned (const struct timeline_interval *i)
{
  return i->state == TIMELINE_READY || i->state == TIMELINE_SLEEPING;
}

static void
forget (struct timeline_interval *i)
{
  *i = (struct timeline_interval) { .start = i->start,
                                    .end = i->end,
                                    .state = TIMELINE_UNKNOWN,
                                    .call = BBS_CALL_NOT_KNOWN,
                                    .cpu = BBS_CPU_UNKNOWN };
}

/* Cuts interval N in two at TIME. */
static bool
split (struct timeline_thread *thread, size_t n, uint64_t time)
{
  if (!array_grow (&thread->intervals, thread->nintervals, &thread->room,
                   sizeof *thread->intervals))
    return false;
  struct timeline_interval *i = &thread->intervals[n];
  memmove (i + 1, i, (thread->nintervals++ - n) * sizeof *i);
  i[0].end = i[1].start = time;
  return true;
}

/* From FROM on, THREAD's states elsewhere are certain only while it ran. */
static bool
forget_closed (struct timeline_thread *thread, uint64_t from)
{
  for (size_t n = thread->nintervals; n > 0 && thread->intervals[n - 1].end > from; n--)
    {
      struct timeline_interval *i = &thread->intervals[n - 1];
      if (!is_concerned (i))
        continue;
      if (i->start >= from)
        forget (i);
      else if (!split (thread, n - 1, from))
        return false;
      else
        forget (&thread->intervals[n]);
    }
  return true;
}

static bool
concern (struct making *m, uint32_t n, uint16_t cpu, uint64_t from, uint64_t to)
{
  struct life *life = &m->lives[n];
  if (!forget_closed (&m->t->threads[n], from))
    return false;
  bool elsewhere = life->state == TIMELINE_RUNNING && life->cpu != cpu;
  if (elsewhere || life->state == TIMELINE_UNKNOWN)
    return true;
  uint64_t start = life->since > from ? life->since : from;
  if (life->gap_to > start) /* a single gap */
    start = start < life->gap_from ? start : life->gap_from;
  else if (life->gap_to > 0 && !life_close_state (m, n, start, BBS_SWITCH_KINDS, BBS_CPU_UNKNOWN))
    return false;
  life->gap_from = start;
  life->gap_to = to;
  life->gap_cpu = cpu;
  return true;
}

bool
timeline_gap (struct making *m, uint16_t cpu, uint64_t time)
{
  uint64_t from = cpu < m->ncpus ? m->cpus[cpu] : m->input->watch.time;
  bool ok = true;
  for (size_t i = 0; ok && from < time && i < m->nliving; i++)
    ok = concern (m, m->living[i], cpu, from, time);
  return ok;
}
