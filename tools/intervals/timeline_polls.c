/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of polls: how long a thread ran and was ready between two polls is exact, the order is
   estimated. */
#include "config.h"

#include <string.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

/* Between two polls, in this order.  SLEPT_AFTER also holds what the kernel has not charged yet. */
struct guess {
  uint64_t slept_before, waited, ran, slept_after;
};

static uint64_t
difference (uint64_t now, uint64_t before)
{
  return now == BBS_NOT_KNOWN || before == BBS_NOT_KNOWN || now < before ? 0 : now - before;
}

static uint64_t
least (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static bool
sleeps (const struct bbs_look *look)
{
  return look->state != 0 && strchr ("SDTt", look->state);
}

/* A thread gets a poll when its numbers have changed: so a long sleep came before that, and what
   followed was shorter than a PERIOD.  What a thread that does not sleep has done since it was
   charged last is still unknown. */
static struct guess
guess (const struct bbs_look *before, const struct bbs_look *look, uint64_t time, uint64_t period)
{
  struct guess g = { .ran = least (difference (look->run, before->run), time) };
  g.waited = least (difference (look->wait, before->wait), time - g.ran);
  uint64_t rest = time - g.ran - g.waited;
  if (sleeps (look))
    g.slept_after = !sleeps (before) && rest < period ? rest : least (rest, period) / 2;
  if (sleeps (look))
    g.slept_before = rest - g.slept_after;
  else if (sleeps (before) && rest > period)
    g.slept_before = rest - period;
  return g;
}

static bool
add (struct timeline_thread *thread, uint64_t *from, uint64_t time, enum timeline_state state,
     const struct bbs_look *look)
{
  const struct timeline_interval i
      = { .start = *from,
          .end = *from + time,
          .state = (uint8_t) state,
          .why = state == TIMELINE_SLEEPING && look->why < BBS_WHYS ? look->why : BBS_WHY_NOT_KNOWN,
          .estimated = true,
          .call = state == TIMELINE_SLEEPING ? look->call : BBS_CALL_NOT_KNOWN,
          .cpu = state == TIMELINE_RUNNING ? look->cpu : BBS_CPU_UNKNOWN };
  *from = i.end;
  return life_add (thread, &i);
}

static void
count (struct timeline *t, struct timeline_thread *thread, const struct bbs_look *before,
       const struct bbs_look *look, bool ran)
{
  thread->sums.voluntary += difference (look->voluntary, before->voluntary);
  thread->sums.involuntary += difference (look->involuntary, before->involuntary);
  if (look->cpu == BBS_CPU_UNKNOWN)
    return;
  thread->sums.migrations += before->tid != 0 && before->cpu != BBS_CPU_UNKNOWN
                             && look->cpu != before->cpu;
  if (ran && look->cpu >= t->cpus)
    t->cpus = look->cpu + 1U;
}

/* Keeps LOOK as the last poll; fields that it does not know keep their values. */
static void
keep (struct bbs_look *last, const struct bbs_look *before, const struct bbs_look *look)
{
  *last = *look;
  last->run = look->run == BBS_NOT_KNOWN ? before->run : look->run;
  last->wait = look->wait == BBS_NOT_KNOWN ? before->wait : look->wait;
  last->voluntary = look->voluntary == BBS_NOT_KNOWN ? before->voluntary : look->voluntary;
  last->involuntary = look->involuntary == BBS_NOT_KNOWN ? before->involuntary : look->involuntary;
  last->cpu = look->cpu == BBS_CPU_UNKNOWN ? before->cpu : look->cpu;
}

/* More time was charged than has passed since the last poll: the thread woke up earlier than polls
   have shown. */
static void
wake_earlier (struct timeline_thread *thread, struct life *life, uint64_t more)
{
  size_t n = thread->nintervals, first = n > 3 ? n - 3 : 0;
  while (n > first && thread->intervals[n - 1].state != TIMELINE_SLEEPING)
    n--;
  if (n == first)
    return;
  struct timeline_interval *slept = &thread->intervals[n - 1];
  more = least (more, slept->end - slept->start - 1);
  slept->end -= more;
  for (; n < thread->nintervals; n++)
    {
      thread->intervals[n].start -= more;
      thread->intervals[n].end -= more;
    }
  life->since -= more;
}

bool
timeline_poll (struct making *m, uint32_t n, const struct bbs_look *look)
{
  struct timeline_thread *thread = &m->t->threads[n];
  struct life *life = &m->lives[n];
  struct bbs_look before = life->look;
  if (!life->lives)
    return true;
  if (before.tid == 0)
    before = (struct bbs_look) { .run = life->born ? 0 : look->run,
                                 .wait = life->born ? 0 : look->wait,
                                 .voluntary = life->born ? 0 : look->voluntary,
                                 .involuntary = life->born ? 0 : look->involuntary,
                                 .cpu = BBS_CPU_UNKNOWN,
                                 .call = BBS_CALL_NOT_KNOWN };
  uint64_t period = 1000000000 / (m->input->watch.rate > 0 ? m->input->watch.rate : 1000);
  wake_earlier (
      thread, life,
      difference (difference (look->run, before.run) + difference (look->wait, before.wait),
                  look->time - life->since));
  struct guess g = guess (&before, look, look->time - life->since, period);
  if (life->look.tid == 0 && life->born)
    thread->charged.wait = difference (look->wait, g.waited);
  keep (&life->look, &before, look);
  life->state = sleeps (look) ? TIMELINE_SLEEPING : TIMELINE_UNKNOWN;
  bool ok = add (thread, &life->since, g.slept_before, TIMELINE_SLEEPING, &before)
            && add (thread, &life->since, g.waited, TIMELINE_READY, look)
            && add (thread, &life->since, g.ran, TIMELINE_RUNNING, look)
            && add (thread, &life->since, g.slept_after, TIMELINE_SLEEPING, look);
  count (m->t, thread, &before, look, g.ran > 0);
  return ok;
}

/* A death is observed when a poll does not find the thread; ENDED is the thread's own record of
   it. */
static void
cut (struct timeline_thread *thread, struct timeline_interval *last, uint64_t ended)
{
  if (ended <= last->start || ended >= last->end || last->state == TIMELINE_RUNNING)
    return;
  thread->sums.time[last->state] -= last->end - ended;
  if (last->state == TIMELINE_SLEEPING)
    thread->sums.why[last->why] -= last->end - ended;
  thread->ended = last->end = ended;
}

static bool
prepend (struct timeline_thread *thread, uint64_t start, enum timeline_state state)
{
  if (start == thread->begun)
    return true;
  if (!array_grow (&thread->intervals, thread->nintervals, &thread->room,
                   sizeof *thread->intervals))
    return false;
  memmove (thread->intervals + 1, thread->intervals,
           thread->nintervals++ * sizeof *thread->intervals);
  thread->intervals[0] = (struct timeline_interval) { .start = start,
                                                      .end = thread->begun,
                                                      .state = (uint8_t) state,
                                                      .estimated = true,
                                                      .call = BBS_CALL_NOT_KNOWN,
                                                      .cpu = BBS_CPU_UNKNOWN };
  thread->sums.time[state] += thread->begun - start;
  thread->begun = start;
  return true;
}

/* A birth is observed with the next listing; BEGUN is the thread's own record of it.  Its clock
   tells what it ran until then, and its first poll how long it was ready. */
static bool
begin_earlier (struct timeline_thread *thread, uint64_t begun)
{
  if (begun >= thread->begun)
    return true;
  const uint64_t run = least (difference (thread->cpu, thread->sums.time[TIMELINE_RUNNING]),
                              thread->begun - begun);
  const uint64_t ran = thread->begun - run, wait = least (thread->charged.wait, ran - begun);
  return prepend (thread, ran, TIMELINE_RUNNING) && prepend (thread, ran - wait, TIMELINE_READY)
         && prepend (thread, begun, TIMELINE_UNKNOWN);
}

/* Behind the last poll. */
static bool
run_on (struct timeline_thread *thread, uint64_t ended)
{
  struct timeline_interval *last
      = thread->nintervals > 0 ? &thread->intervals[thread->nintervals - 1] : NULL;
  uint64_t run = difference (thread->cpu, thread->sums.time[TIMELINE_RUNNING]);
  if (!last)
    return true;
  cut (thread, last, ended);
  if (last->state != TIMELINE_UNKNOWN || run == 0)
    return true;
  uint64_t end = last->end, length = end - last->start;
  run = least (run, length);
  const struct timeline_interval ran = { .start = end - run,
                                         .end = end,
                                         .state = TIMELINE_RUNNING,
                                         .estimated = true,
                                         .call = BBS_CALL_NOT_KNOWN,
                                         .cpu = BBS_CPU_UNKNOWN };
  thread->sums.time[TIMELINE_UNKNOWN] -= run;
  thread->sums.time[TIMELINE_RUNNING] += run;
  last->end = ran.start;
  thread->nintervals -= run == length;
  return life_add (thread, &ran);
}

bool
timeline_poll_rest (struct timeline_thread *thread, uint64_t begun, uint64_t ended)
{
  return run_on (thread, ended) && begin_earlier (thread, begun);
}
