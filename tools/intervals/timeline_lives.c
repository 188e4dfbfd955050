/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads as they come and go.  The kernel gives a tid again: who is born, or heard of after
   that tid's death, is another thread. */
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
