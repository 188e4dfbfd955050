/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of switches.  The kernel reports a switch when it is done, but charges it to the thread
   that gets the processor, from the moment at which it chose that thread: some microseconds, which
   matter for a thread that runs little longer.  The kernel's own sum is exact for a sleeping
   thread, and the CPU clock for one that has ended.  The difference to the records is divided over
   the switches since the last exact sum. */
#include "config.h"

#include "tools/intervals/timeline_own.h"

/* A part of a thread's life. */
struct part {
  struct timeline_thread *thread;
  size_t from, to; /* its intervals; FROM is not running, or the first */
};

/* The sum of a state's time; how often the state begins. */
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

/* How much earlier interval N, a run, can have begun: the thread was ready or slept before, and no
   other thread of the process had the processor. */
static uint64_t
room_before (const struct timeline_thread *thread, size_t n)
{
  const struct timeline_interval *i = &thread->intervals[n], *before = i - 1;
  if (n == 0 || i->state != TIMELINE_RUNNING
      || (before->state != TIMELINE_READY && before->state != TIMELINE_SLEEPING))
    return 0;
  const uint64_t most = before->end - before->start - 1;
  return most < i->free ? most : i->free;
}

static uint64_t
count_rooms (const struct part *p)
{
  uint64_t n = 0;
  for (size_t i = p->from; i < p->to; i++)
    n += room_before (p->thread, i) > 0;
  return n;
}

/* Moves the begin of each run by EACH, as far as possible, until REST is used up.  Returns what is
   left of it. */
static uint64_t
move (const struct part *p, uint64_t each, uint64_t rest)
{
  for (size_t n = p->from; n < p->to && rest > 0; n++)
    {
      struct timeline_interval *i = &p->thread->intervals[n];
      uint64_t most = room_before (p->thread, n);
      most = most < each ? most : each;
      most = most < rest ? most : rest;
      if (most == 0)
        continue;
      i->start -= most;
      i->free -= (uint32_t) most;
      i[-1].end = i->start;
      rest -= most;
    }
  return rest;
}

/* Divides the time that does not fit before one run over the others. */
static void
spread (const struct part *p, uint64_t time)
{
  enum { ROUNDS = 16 };
  uint64_t n;
  for (int round = 0; round < ROUNDS && time > 0 && (n = count_rooms (p)) > 0; round++)
    time = move (p, (time + n - 1) / n, time);
}

/* The kernel ends a run before it reports that: moves the end of each run, TIME in all. */
static void
shorten (const struct part *p, uint64_t time, uint64_t ends)
{
  const uint64_t each = (time + ends - 1) / ends;
  for (size_t n = p->from; n < p->to && n + 1 < p->thread->nintervals && time > 0; n++)
    {
      struct timeline_interval *i = &p->thread->intervals[n];
      if (i->state != TIMELINE_RUNNING
          || (i[1].state != TIMELINE_READY && i[1].state != TIMELINE_SLEEPING))
        continue;
      uint64_t most = i->end - i->start - 1;
      most = most < each ? most : each;
      most = most < time ? most : time;
      i->end -= most;
      i[1].start = i->end;
      time -= most;
    }
}

/* RUN: what the kernel charged for this part. */
static void
charge (const struct part *p, uint64_t run, struct charges *all)
{
  uint64_t starts, gaps, ran = sum (p, TIMELINE_RUNNING, &starts);
  sum (p, TIMELINE_UNKNOWN, &gaps);
  if (gaps > 0 || starts == 0)
    return;
  all->starts += starts;
  all->time += (int64_t) (run - ran);
  if (run > ran)
    spread (p, run - ran);
  else
    shorten (p, ran - run, starts);
}

/* The interval, from FROM on, that contains TIME. */
static size_t
find (const struct timeline_thread *thread, size_t from, uint64_t time)
{
  while (from < thread->nintervals && thread->intervals[from].end <= time)
    from++;
  return from;
}

/* The CPU time that the kernel had charged before THREAD's first interval, if LOOK is of a time
   when that was known. */
static uint64_t
charged_before (const struct timeline_thread *thread, const struct bbs_look *look, size_t interval)
{
  const struct part part = { .thread = (struct timeline_thread *) thread, .to = interval };
  uint64_t starts, ran = sum (&part, TIMELINE_RUNNING, &starts);
  return look->run > ran ? look->run - ran : 0;
}

void
timeline_charge (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n,
                 bool born, struct charges *all)
{
  struct part part = { .thread = thread };
  uint64_t before = born ? 0 : BBS_NOT_KNOWN;
  thread->charged = (struct timeline_charged) { .before = before, .to = thread->begun };
  for (size_t l = 0; l < n; l++)
    {
      part.to = find (thread, part.from, looks[l]->time);
      bool sleeps = part.to < thread->nintervals
                    && thread->intervals[part.to].state == TIMELINE_SLEEPING;
      if (!sleeps || looks[l]->run == BBS_NOT_KNOWN || looks[l]->state == 'R')
        continue;
      if (before == BBS_NOT_KNOWN)
        thread->charged.before = charged_before (thread, looks[l], part.to);
      else if (looks[l]->run >= before)
        charge (&part, looks[l]->run - before, all);
      before = looks[l]->run;
      part.from = part.to;
      thread->charged.to = thread->intervals[part.to].start;
    }
}

/* The CPU time of the thread until ENDED, when its clock was read.  The clock does not include the
   rest. */
static uint64_t
run_until (const struct timeline_thread *thread, uint64_t ended)
{
  uint64_t run = 0;
  for (size_t i = 0; i < thread->nintervals && thread->intervals[i].start < ended; i++)
    if (thread->intervals[i].state == TIMELINE_RUNNING)
      run += (thread->intervals[i].end < ended ? thread->intervals[i].end : ended)
             - thread->intervals[i].start;
  return run;
}

void
timeline_charge_rest (struct timeline_thread *thread, uint64_t ended, const struct charges *all)
{
  const struct part part = { .thread = thread,
                             .from = find (thread, 0, thread->charged.to),
                             .to = thread->nintervals };
  const bool known = thread->cpu != BBS_NOT_KNOWN && thread->charged.before != BBS_NOT_KNOWN;
  if (known && thread->sums.time[TIMELINE_UNKNOWN] == 0)
    {
      const uint64_t ran = thread->charged.before + run_until (thread, ended);
      uint64_t starts;
      sum (&part, TIMELINE_RUNNING, &starts);
      if (thread->cpu >= ran)
        spread (&part, thread->cpu - ran);
      else if (ended < thread->ended && starts > 0)
        shorten (&part, ran - thread->cpu, starts);
    }
  else if (all->starts > 0 && all->time > 0)
    move (&part, (uint64_t) all->time / all->starts, UINT64_MAX);
  timeline_add_sums (thread);
}
