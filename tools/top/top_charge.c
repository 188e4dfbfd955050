/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charges each thread's time to its current state, when the state ends and provisionally at each
   refresh.  A switch reported late revises the provisional part. */
#include "config.h"

#include "common/array.h"
#include "tools/top/top_charge.h"

struct top_cpu *
top_cpu (struct top_sums *s, uint16_t cpu)
{
  while (cpu != BBS_CPU_UNKNOWN && s->ncpus <= cpu)
    {
      if (!array_grow (&s->cpus, s->ncpus, &s->room_cpus, sizeof *s->cpus))
        return NULL;
      s->cpus[s->ncpus++] = (struct top_cpu) { .tid = 0 };
    }
  return cpu == BBS_CPU_UNKNOWN ? NULL : &s->cpus[cpu];
}

static uint64_t
least (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* Makes the slices up to that of TIME. */
static void
reach (struct top_thread *t, uint64_t time)
{
  uint64_t n = time / TOP_SLICE + 1, first = t->nslices;
  if (n > first + TOP_SLICES)
    first = n - TOP_SLICES;
  for (; first < n; first++)
    t->slices[first % TOP_SLICES] = (struct top_slice) { .time = { 0 } };
  if (n > t->nslices)
    t->nslices = n;
}

/* Divides NS over the slices from FROM to TO. */
static void
spread (struct top_thread *t, enum timeline_state state, uint64_t from, uint64_t to, int64_t ns)
{
  reach (t, to);
  uint64_t kept = t->nslices > TOP_SLICES ? (t->nslices - TOP_SLICES) * TOP_SLICE : 0;
  for (uint64_t begin = from > kept ? from : kept; begin < to;)
    {
      uint64_t slice = begin / TOP_SLICE, end = least ((slice + 1) * TOP_SLICE, to);
      int32_t share = (int32_t) ((double) ns * (double) (end - begin) / (double) (to - from));
      t->slices[slice % TOP_SLICES].time[state] += share;
      begin = end;
    }
}

void
top_spend (struct top_sums *s, struct top_thread *t, enum timeline_state state, uint64_t from,
           uint64_t to, int64_t ns)
{
  t->counts.time[state] += ns;
  if (state == TIMELINE_SLEEPING)
    t->counts.why[t->why] += ns;
  if (state == TIMELINE_READY && s->how == BBS_BY_EVENTS)
    t->wait += (uint64_t) ns;
  if (state == TIMELINE_RUNNING)
    {
      struct top_cpu *cpu = top_cpu (s, t->cpu);
      t->cpu_time += (uint64_t) ns;
      if (cpu)
        cpu->time += ns;
    }
  if (state != TIMELINE_SLEEPING && from < to)
    spread (t, state, from, to, ns);
}

void
top_charge (struct top_sums *s, struct top_thread *t, uint64_t time)
{
  if (time < t->began)
    time = t->began;
  if (time < t->charged)
    top_spend (s, t, t->state, time, t->charged, -(int64_t) (t->charged - time));
  else
    top_spend (s, t, t->state, t->charged, time, (int64_t) (time - t->charged));
  t->charged = time;
}

void
top_recharge (struct top_sums *s, struct top_thread *t, enum timeline_state state)
{
  int64_t ns = (int64_t) (t->charged - t->began);
  top_spend (s, t, t->state, t->began, t->charged, -ns);
  t->state = state;
  top_spend (s, t, t->state, t->began, t->charged, ns);
}

void
top_set_reason (struct top_thread *t, const struct bbs_look *look)
{
  t->why = look->why;
  t->call = look->call;
  t->lock = look->lock;
  t->lock_type = look->type;
  t->holder = look->holder;
}

void
top_explain (struct top_thread *t, const struct bbs_look *look)
{
  int64_t ns = (int64_t) (t->charged - t->began);
  t->counts.why[t->why] -= ns;
  t->counts.why[look->why] += ns;
  top_set_reason (t, look);
}

void
top_leave (struct top_sums *s, struct top_thread *t, uint64_t time)
{
  top_charge (s, t, time);
  t->longest[t->state] = top_longest (t, t->state);
  struct top_cpu *cpu = t->state == TIMELINE_RUNNING ? top_cpu (s, t->cpu) : NULL;
  if (cpu && cpu->tid == t->tid)
    cpu->tid = 0;
}

void
top_enter (struct top_sums *s, struct top_thread *t, uint64_t time, enum timeline_state state,
           uint16_t number)
{
  top_leave (s, t, time);
  if (state == TIMELINE_RUNNING)
    {
      struct top_cpu *cpu = top_cpu (s, number);
      if (t->cpu != BBS_CPU_UNKNOWN && number != BBS_CPU_UNKNOWN && t->cpu != number)
        t->counts.migrations++;
      if (cpu)
        cpu->tid = t->tid;
      t->cpu = number;
    }
  t->state = state;
  t->guessed = false;
  top_set_reason (t, &(struct bbs_look) { .call = BBS_CALL_NOT_KNOWN });
  t->began = t->charged = t->began > time ? t->began : time;
}

uint64_t
top_longest (const struct top_thread *t, enum timeline_state state)
{
  uint64_t present = t->state == state ? t->charged - t->began : 0;
  return present > t->longest[state] ? present : t->longest[state];
}

struct top_slice
top_sums_slices (const struct top_thread *t, uint64_t first, uint64_t n)
{
  struct top_slice sum = { .time = { 0 } };
  for (uint64_t i = first; i < first + n; i++)
    if (i < t->nslices && i + TOP_SLICES >= t->nslices)
      for (int state = 0; state < TIMELINE_STATES; state++)
        sum.time[state] += t->slices[i % TOP_SLICES].time[state];
  return sum;
}
