/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes intervals of switches.  A record tells the state from then on and also the state before, so
   records that contradict each other show that one is missing. */
#include "config.h"

#include "common/array.h"
#include "tools/intervals/timeline_own.h"

/* A thread that is born, or has lived since records are complete. */
static bool
meet (struct making *m, const struct bbs_switch *s, bool first, uint32_t *thread)
{
  uint64_t begun = s->kind == BBS_BORN || !first || m->sure > s->time ? s->time : m->sure;
  uint16_t cpu = s->kind == BBS_OUT_SLEEPS || s->kind == BBS_OUT_READY ? s->cpu : BBS_CPU_UNKNOWN;
  if (!life_begin (m, s->tid, begun, cpu == s->cpu ? TIMELINE_RUNNING : TIMELINE_UNKNOWN, cpu,
                   thread))
    return false;
  m->lives[*thread].born = s->kind == BBS_BORN;
  return true;
}

static void
count (struct timeline_thread *thread, const struct life *life, const struct bbs_switch *s)
{
  if (s->kind == BBS_OUT_SLEEPS)
    thread->sums.voluntary++;
  else if (s->kind == BBS_OUT_READY)
    thread->sums.involuntary++;
  else if (s->kind == BBS_IN && life->cpu != BBS_CPU_UNKNOWN && life->cpu != s->cpu)
    thread->sums.migrations++;
}

static void
follow (const struct making *m, struct life *life, const struct bbs_switch *s)
{
  uint64_t free = s->time - (s->cpu < m->ncpus ? m->cpus[s->cpu] : m->input->watch.time);
  static const uint8_t states[BBS_SWITCH_KINDS] = { [BBS_IN] = TIMELINE_RUNNING,
                                                    [BBS_OUT_SLEEPS] = TIMELINE_SLEEPING,
                                                    [BBS_OUT_READY] = TIMELINE_READY,
                                                    [BBS_BORN] = TIMELINE_READY };
  life->state = states[s->kind];
  life->preempted = s->kind == BBS_OUT_READY;
  life->free = free < UINT32_MAX ? (uint32_t) free : UINT32_MAX;
  life->cpu = s->kind == BBS_BORN ? BBS_CPU_UNKNOWN : s->cpu;
}

static bool
note_processor (struct making *m, const struct bbs_switch *s)
{
  if (s->kind == BBS_BORN)
    return true;
  while (m->ncpus <= s->cpu)
    {
      if (!array_grow (&m->cpus, m->ncpus, &m->room_cpus, sizeof *m->cpus))
        return false;
      m->cpus[m->ncpus++] = m->input->watch.time;
    }
  m->cpus[s->cpu] = s->time;
  if (s->cpu != BBS_CPU_UNKNOWN && s->kind == BBS_IN && s->cpu >= m->t->cpus)
    m->t->cpus = s->cpu + 1U;
  return true;
}

/* The thread that S is about; UINT32_MAX: no thread's life is concerned. */
static bool
find_thread (struct making *m, const struct bbs_switch *s, uint32_t *thread)
{
  if (!life_find (m, s->tid, thread))
    return false;
  bool first = *thread == UINT32_MAX, lives = !first && m->lives[*thread].lives;
  if (lives && s->kind != BBS_BORN)
    return true;
  if (lives) /* its death was not recorded */
    {
      if (!life_close_state (m, *thread, s->time, BBS_SWITCH_KINDS, s->cpu))
        return false;
      life_end (m, *thread, s->time);
    }
  else if (s->kind == BBS_DIED || (!first && s->kind != BBS_BORN && s->kind != BBS_IN))
    {
      *thread = UINT32_MAX; /* of a death that was recorded before */
      return true;
    }
  return meet (m, s, first, thread);
}

static bool
switch_thread (struct making *m, const struct bbs_switch *s)
{
  uint32_t n;
  if (!find_thread (m, s, &n))
    return false;
  if (n == UINT32_MAX)
    return true;
  bool polls = m->input->watch.how == BBS_BY_POLLS;
  if (!life_close_state (m, n, s->time, polls ? BBS_SWITCH_KINDS : s->kind, s->cpu))
    return false;
  if (s->kind == BBS_DIED)
    life_end (m, n, s->time);
  else
    {
      count (&m->t->threads[n], &m->lives[n], s);
      follow (m, &m->lives[n], s);
    }
  return true;
}

bool
timeline_switch (struct making *m, const struct bbs_switch *s)
{
  if (s->kind >= BBS_SWITCH_KINDS)
    return true;
  if (s->kind == BBS_GAP && !timeline_gap (m, s->cpu, s->time))
    return false;
  if (s->kind == BBS_GAP)
    m->sure = s->time;
  return (s->kind == BBS_GAP || switch_thread (m, s)) && note_processor (m, s);
}

bool
timeline_end_switches (struct making *m, uint64_t end)
{
  bool ok = true;
  while (ok && m->nliving > 0)
    {
      uint32_t n = m->living[m->nliving - 1];
      ok = life_close_state (m, n, end, BBS_SWITCH_KINDS, BBS_CPU_UNKNOWN);
      life_end (m, n, end);
    }
  return ok;
}
