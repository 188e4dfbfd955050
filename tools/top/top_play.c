/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies records, by time, to the states of threads. */
#include "config.h"

#include <string.h>

#include "tools/top/top_charge.h"

/* The kernel gives TID a processor, or reports that for the first time. */
static void
play_in (struct top_sums *s, struct top_thread *t, const struct bbs_switch *w)
{
  if (t->guessed && t->state == TIMELINE_RUNNING)
    top_recharge (s, t, TIMELINE_READY); /* a poll found it able to run, but it had no processor */
  else if (t->state == TIMELINE_RUNNING)
    top_recharge (s, t, TIMELINE_UNKNOWN); /* it must have left the processor */
  top_enter (s, t, w->time, TIMELINE_RUNNING, w->cpu);
  struct top_cpu *cpu = top_cpu (s, w->cpu);
  if (cpu)
    cpu->switches++;
}

static void
play_out (struct top_sums *s, struct top_thread *t, const struct bbs_switch *w)
{
  if (t->state != TIMELINE_RUNNING)
    {
      bool first = t->state == TIMELINE_UNKNOWN && t->cpu == BBS_CPU_UNKNOWN;
      t->cpu = w->cpu;
      top_recharge (s, t, first ? TIMELINE_RUNNING : TIMELINE_UNKNOWN);
    }
  if (w->kind == BBS_OUT_SLEEPS)
    t->counts.voluntary++;
  else
    t->counts.involuntary++;
  top_enter (s, t, w->time, w->kind == BBS_OUT_SLEEPS ? TIMELINE_SLEEPING : TIMELINE_READY, w->cpu);
}

/* For the thread that ran on the processor of a gap, it is unknown how long it did. */
static void
play_gap (struct top_sums *s, const struct bbs_switch *w)
{
  for (size_t i = 0; i < s->n; i++)
    {
      struct top_thread *t = s->threads[i];
      if (t->died != TOP_LIVES || t->state != TIMELINE_RUNNING || t->cpu != w->cpu)
        continue;
      top_charge (s, t, w->time);
      top_recharge (s, t, TIMELINE_UNKNOWN);
      top_enter (s, t, w->time, TIMELINE_UNKNOWN, w->cpu);
    }
}

static bool
play_switch (struct top_sums *s, const struct bbs_switch *w)
{
  struct top_thread *t = top_find (s, w->tid);
  if (w->kind == BBS_GAP)
    {
      play_gap (s, w);
      return true;
    }
  bool dead = t && t->died != TOP_LIVES;
  if (dead && w->kind != BBS_BORN && w->kind != BBS_IN)
    return true; /* its last record */
  if (!t || dead)
    t = top_add (s, w->tid, w->time);
  if (!t)
    return false;
  switch ((enum bbs_switch_kind) w->kind)
    {
    case BBS_BORN:
      t->looked = true; /* all its sums are 0 */
      top_enter (s, t, w->time, s->how == BBS_BY_EVENTS ? TIMELINE_READY : t->state, w->cpu);
      break;
    case BBS_IN: play_in (s, t, w); break;
    case BBS_OUT_SLEEPS:
    case BBS_OUT_READY: play_out (s, t, w); break;
    case BBS_DIED:
      top_die (s, t, w->time);
      top_forget (s);
      break;
    default: break;
    }
  return true;
}

static enum timeline_state
state_of (const struct bbs_look *look)
{
  return look->state == 0     ? TIMELINE_UNKNOWN
         : look->state == 'R' ? TIMELINE_RUNNING
                              : TIMELINE_SLEEPING;
}

/* A part of what was charged as sleep was ready time. */
static void
take_from_sleep (struct top_thread *t, int64_t ns)
{
  int most = 0;
  for (int i = 1; i < BBS_WHYS; i++)
    if (t->counts.why[i] > t->counts.why[most])
      most = i;
  t->counts.why[most] -= ns;
  t->counts.time[TIMELINE_SLEEPING] -= ns;
}

/* Switches tell all but the wait reason, and how long a thread was ready after its wake-up. */
static void
look_beside_events (struct top_sums *s, struct top_thread *t, const struct bbs_look *look)
{
  if (t->state == TIMELINE_UNKNOWN)
    {
      t->cpu = look->cpu;
      top_enter (s, t, look->time, state_of (look), look->cpu);
      t->guessed = true;
    }
  if (t->state != TIMELINE_SLEEPING && t->looked)
    return;
  top_charge (s, t, look->time);
  if (t->state == TIMELINE_SLEEPING && look->why != BBS_WHY_NOT_KNOWN)
    top_explain (t, look);
  if (look->run != BBS_NOT_KNOWN)
    t->cpu_time = look->run;
  if (look->wait == BBS_NOT_KNOWN)
    return;
  if (t->looked && look->wait > t->wait)
    {
      int64_t waited = (int64_t) (look->wait - t->wait);
      top_spend (s, t, TIMELINE_READY, t->told, look->time, waited);
      take_from_sleep (t, waited);
    }
  t->wait = look->wait;
  t->looked = true;
  t->told = look->time;
}

/* The growth of a sum up to NOW. */
static uint64_t
growth (uint64_t *before, uint64_t now)
{
  uint64_t d = now == BBS_NOT_KNOWN || *before == BBS_NOT_KNOWN || now < *before ? 0
                                                                                 : now - *before;
  if (now != BBS_NOT_KNOWN)
    *before = now;
  return d;
}

/* Adds N sleeps since the last poll.  Without a sleep the rest was ready time, or the numbers were
   late. */
static void
count_voluntary (struct top_thread *t, uint64_t n)
{
  t->counts.voluntary += (int64_t) n;
  if (n)
    {
      t->counts.time[TIMELINE_READY] -= t->rest;
      t->counts.time[TIMELINE_SLEEPING] += t->rest;
      t->counts.why[BBS_WHY_NOT_KNOWN] += t->rest;
    }
  t->rest = 0;
}

/* Charges what has happened since the last poll.  Sleep comes first, because a thread's numbers do
   not change while it sleeps. */
static void
charge_looks (struct top_sums *s, struct top_thread *t, const struct bbs_look *look)
{
  uint64_t from = t->told, run = growth (&t->run, look->run), wait = growth (&t->wait, look->wait);
  int64_t slept = (int64_t) (look->time - from) - (int64_t) (run + wait);
  uint64_t woken = slept > 0 ? from + (uint64_t) slept : from;
  if (look->run == BBS_NOT_KNOWN) /* then only the state is known */
    {
      top_charge (s, t, look->time);
      return;
    }
  top_charge (s, t, from);
  if (t->state != TIMELINE_SLEEPING)
    t->why = look->why;
  if (run && look->cpu != BBS_CPU_UNKNOWN)
    {
      t->counts.migrations += t->cpu != BBS_CPU_UNKNOWN && t->cpu != look->cpu;
      t->cpu = look->cpu;
    }
  if (t->state == TIMELINE_SLEEPING || state_of (look) == TIMELINE_SLEEPING)
    top_spend (s, t, TIMELINE_SLEEPING, from, woken, slept);
  else
    {
      t->counts.time[TIMELINE_READY] += slept;
      t->rest += slept;
    }
  top_spend (s, t, TIMELINE_READY, woken, look->time, (int64_t) wait);
  top_spend (s, t, TIMELINE_RUNNING, woken, look->time, (int64_t) run);
}

/* The state by a poll.  A thread that is able to run has run lately, or was only ready. */
static enum timeline_state
polled_state (const struct top_thread *t, const struct bbs_look *look)
{
  bool waited = look->run == t->run && look->wait != BBS_NOT_KNOWN && look->wait > t->wait;
  return state_of (look) == TIMELINE_RUNNING && t->looked && waited ? TIMELINE_READY
                                                                    : state_of (look);
}

static void
look_by_polls (struct top_sums *s, struct top_thread *t, const struct bbs_look *look)
{
  enum timeline_state state = polled_state (t, look);
  if (t->looked)
    {
      charge_looks (s, t, look);
      if (look->voluntary != BBS_NOT_KNOWN)
        count_voluntary (t, growth (&t->voluntary, look->voluntary));
      t->counts.involuntary += (int64_t) growth (&t->involuntary, look->involuntary);
    }
  else
    {
      t->cpu = look->cpu;
      t->run = look->run;
      t->wait = look->wait;
      t->voluntary = look->voluntary;
      t->involuntary = look->involuntary;
      t->looked = true;
    }
  t->charged = t->told = look->time;
  if (t->began > look->time)
    t->began = look->time;
  if (look->run != BBS_NOT_KNOWN)
    t->cpu_time = look->run;
  if (state != t->state)
    top_enter (s, t, look->time, state, look->cpu);
  top_set_reason (t, look);
}

static bool
play_look (struct top_sums *s, const struct bbs_look *look)
{
  struct top_thread *t = top_find (s, look->tid);
  if (t && t->died != TOP_LIVES)
    return true;
  if (!t)
    t = top_add (s, look->tid, look->time);
  if (!t)
    return false;
  if (s->how == BBS_BY_EVENTS)
    look_beside_events (s, t, look);
  else
    look_by_polls (s, t, look);
  return true;
}

static bool
play_name (struct top_sums *s, const struct bbs_name *name)
{
  struct top_thread *t = top_find (s, name->tid);
  if (!t)
    t = top_add (s, name->tid, name->time);
  if (t)
    memcpy (t->name, name->name, sizeof t->name);
  return t;
}

/* At the same time births, by their switches, come first, then other records of the new thread. */
bool
top_sums_play (struct top_sums *s, const struct watched *w)
{
  size_t i = 0, j = 0, k = 0;
  bool ok = true;
  while (ok && (i < w->nswitches || j < w->nlooks || k < w->nnames))
    {
      uint64_t time = i < w->nswitches ? w->switches[i].time : UINT64_MAX;
      uint64_t look = j < w->nlooks ? w->looks[j].time : UINT64_MAX,
               name = k < w->nnames ? w->names[k].time : UINT64_MAX;
      if (i < w->nswitches && time <= look && time <= name)
        ok = play_switch (s, &w->switches[i++]);
      else if (k < w->nnames && name <= look)
        ok = play_name (s, &w->names[k++]);
      else
        ok = play_look (s, &w->looks[j++]);
    }
  return ok;
}
