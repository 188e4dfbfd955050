/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What switches cost.  The kernel tells of a switch when it is done, but charges the thread that gets the processor with it,
   from the moment at which it had chosen that thread: some microseconds, which is much of the time of who runs for little more.
   Of who sleeps the kernel's own sum is exact; what of it the records do not have is divided over the switches since the sum
   before. */
#include "config.h"

#include "timeline_own.h"

/* Of a thread. */
struct part {
  struct timeline_thread *thread;
  size_t from, to; /* its intervals; FROM is no running one, or the first */
};

/* How much there is of a state, how often it begins. */
static uint64_t
sum (const struct part *p, enum timeline_state state, uint64_t *n)
{
  uint64_t time = 0;
  *n = 0;
  for (size_t i = p->from; i < p->to; i++)
    if (p->thread->intervals[i].state == state)
      {
        time += p->thread->intervals[i].end - p->thread->intervals[i].start;
        ++*n;
      }
  return time;
}

/* Each time that it runs begins TIME earlier, as far as it waited or slept before, and nobody else of the process had the
   processor. */
static void
move (const struct part *p, uint64_t time)
{
  for (size_t n = p->from > 0 ? p->from : 1; n < p->to; n++)
    {
      struct timeline_interval *i = &p->thread->intervals[n], *before = i - 1;
      if (i->state != TIMELINE_RUNNING || (before->state != TIMELINE_READY && before->state != TIMELINE_SLEEPING))
        continue;
      uint64_t most = before->end - before->start - 1;
      most = most < i->free ? most : i->free;
      most = most < time ? most : time;
      i->start -= most;
      i->free -= (uint32_t) most;
      before->end = i->start;
    }
}

/* RUN is what the kernel has charged in this part. */
static void
charge (const struct part *p, uint64_t run, struct charges *all)
{
  uint64_t starts, gaps, ran = sum (p, TIMELINE_RUNNING, &starts);
  sum (p, TIMELINE_UNKNOWN, &gaps);
  if (gaps > 0 || starts == 0)
    return;
  all->starts += starts;
  if (run <= ran)
    return;
  all->time += run - ran;
  move (p, (run - ran) / starts);
}

/* The interval, from FROM on, in which TIME is. */
static size_t
find (const struct timeline_thread *thread, size_t from, uint64_t time)
{
  while (from < thread->nintervals && thread->intervals[from].end <= time)
    from++;
  return from;
}

size_t
timeline_charge (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n, bool born, struct charges *all)
{
  struct part part = { .thread = thread };
  uint64_t before = born ? 0 : BBS_NOT_KNOWN;
  for (size_t l = 0; l < n; l++)
    {
      part.to = find (thread, part.from, looks[l]->time);
      bool sleeps = part.to < thread->nintervals && thread->intervals[part.to].state == TIMELINE_SLEEPING;
      if (!sleeps || looks[l]->run == BBS_NOT_KNOWN || looks[l]->state == 'R')
        continue;
      if (before != BBS_NOT_KNOWN && looks[l]->run >= before)
        charge (&part, looks[l]->run - before, all);
      before = looks[l]->run;
      part.from = part.to;
    }
  return part.from;
}

void
timeline_charge_rest (struct timeline_thread *thread, size_t from, const struct charges *all)
{
  const struct part part = { .thread = thread, .from = from, .to = thread->nintervals };
  if (all->starts > 0)
    move (&part, all->time / all->starts);
}
