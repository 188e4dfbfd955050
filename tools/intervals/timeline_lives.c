/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Begin and end of threads, and their intervals.  The kernel reuses tids: a thread that begins, or
   is observed, after the end of its tid's last thread is another one. */
#include "config.h"

#include <stdlib.h>

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

static bool
find_latest (struct making *m, uint32_t tid, uint32_t **latest)
{
  uint32_t number = contexts_enter (&m->tids, 0, 0, tid);
  if (number == 0)
    return false;
  while (m->nlatest <= number)
    {
      if (!array_grow (&m->latest, m->nlatest, &m->room_latest, sizeof *m->latest))
        return false;
      m->latest[m->nlatest++] = UINT32_MAX;
    }
  *latest = &m->latest[number];
  return true;
}

bool
life_find (struct making *m, uint32_t tid, uint32_t *thread)
{
  uint32_t *latest;
  *thread = UINT32_MAX;
  if (!find_latest (m, tid, &latest))
    return false;
  *thread = *latest;
  return true;
}

bool
life_begin (struct making *m, uint32_t tid, uint64_t time, enum timeline_state state, uint16_t cpu,
            uint32_t *thread)
{
  struct timeline *t = m->t;
  uint32_t *latest;
  if (t->nthreads >= UINT32_MAX || !find_latest (m, tid, &latest)
      || !array_grow (&t->threads, t->nthreads, &t->room, sizeof *t->threads)
      || !array_grow (&m->lives, t->nthreads, &m->room_lives, sizeof *m->lives)
      || !array_grow (&m->living, m->nliving, &m->room_living, sizeof *m->living))
    return false;
  *latest = *thread = (uint32_t) t->nthreads++;
  t->threads[*thread] = (struct timeline_thread) {
    .tid = tid, .name = "", .begun = time, .ended = time, .cpu = BBS_NOT_KNOWN
  };
  m->lives[*thread] = (struct life) { .since = time,
                                      .state = (uint8_t) state,
                                      .cpu = cpu,
                                      .lives = true,
                                      .place = (uint32_t) m->nliving };
  m->living[m->nliving++] = *thread;
  return true;
}

void
life_end (struct making *m, uint32_t thread, uint64_t time)
{
  struct life *life = &m->lives[thread];
  if (!life->lives)
    return;
  life->lives = false;
  m->t->threads[thread].ended = time;
  uint32_t last = m->living[--m->nliving];
  m->living[life->place] = last;
  m->lives[last].place = life->place;
}

static bool
continues (const struct timeline_interval *a, const struct timeline_interval *b)
{
  return a->state == b->state && a->why == b->why && a->preempted == b->preempted
         && a->estimated == b->estimated && a->call == b->call && a->cpu == b->cpu;
}

bool
life_add (struct timeline_thread *thread, const struct timeline_interval *new)
{
  if (new->start >= new->end)
    return true;
  struct timeline_interval *last
      = thread->nintervals > 0 ? &thread->intervals[thread->nintervals - 1] : NULL;
  if (last && continues (last, new))
    {
      last->end = new->end;
      return true;
    }
  if (!array_grow (&thread->intervals, thread->nintervals, &thread->room,
                   sizeof *thread->intervals))
    return false;
  thread->intervals[thread->nintervals] = *new;
  thread->intervals[thread->nintervals++].counts = timeline_counts (thread);
  return true;
}

static struct timeline_interval
make_interval (const struct life *life, uint64_t start, uint64_t end, enum timeline_state state)
{
  bool looked = life->look.tid != 0, sleeps = state == TIMELINE_SLEEPING && looked;
  return (struct timeline_interval) {
    .start = start,
    .end = end,
    .state = (uint8_t) state,
    .why = sleeps && life->look.why < BBS_WHYS ? life->look.why : BBS_WHY_NOT_KNOWN,
    .preempted = state == TIMELINE_READY && life->preempted,
    .estimated = looked,
    .call = sleeps ? life->look.call : BBS_CALL_NOT_KNOWN,
    .cpu = state == TIMELINE_RUNNING ? life->cpu : BBS_CPU_UNKNOWN,
    .free = state == TIMELINE_RUNNING && start == life->since ? life->free : 0
  };
}

static bool
ends_running (enum bbs_switch_kind kind)
{
  return kind == BBS_OUT_SLEEPS || kind == BBS_OUT_READY || kind == BBS_DIED;
}

/* The state behind the gap, or since the last record if there was no gap. */
static enum timeline_state
state_behind_gap (const struct life *life, enum bbs_switch_kind kind, uint16_t cpu)
{
  if (kind == BBS_SWITCH_KINDS)
    return life->state;
  bool runs = life->state == TIMELINE_RUNNING;
  if (!ends_running (kind))
    return !runs ? life->state : life->either ? TIMELINE_READY : TIMELINE_UNKNOWN;
  if (runs && (life->cpu == cpu || life->either))
    return TIMELINE_RUNNING;
  /* It got the processor in the gap. */
  return life->gap_to > 0 && life->gap_cpu == cpu ? TIMELINE_RUNNING : TIMELINE_UNKNOWN;
}

bool
life_close_state (struct making *m, uint32_t n, uint64_t time, enum bbs_switch_kind kind,
                  uint16_t cpu)
{
  struct timeline_thread *thread = &m->t->threads[n];
  struct life *life = &m->lives[n];
  enum timeline_state behind = state_behind_gap (life, kind, cpu);
  uint64_t since = life->since;
  bool ok = true;
  if (life->gap_to > 0)
    {
      struct timeline_interval before = make_interval (life, since, life->gap_from, life->state);
      struct timeline_interval gap
          = make_interval (life, life->gap_from, life->gap_to, TIMELINE_UNKNOWN);
      ok = life_add (thread, &before) && life_add (thread, &gap);
      since = life->gap_to;
    }
  if (ends_running (kind))
    life->cpu = cpu;
  else if (kind == BBS_IN && life->either)
    life->cpu = BBS_CPU_UNKNOWN;
  struct timeline_interval last = make_interval (life, since, time, behind);
  ok = ok && life_add (thread, &last);
  life->since = time;
  life->either = false;
  life->gap_from = life->gap_to = 0;
  return ok;
}
