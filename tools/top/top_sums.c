/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of threads, and the periods.  top_charge.c charges time to states; top_play.c applies
   records of the kernel and polls. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/top/top_charge.h"
#include "tools/top/top_sums.h"

/* The number of ended threads that are remembered. */
enum { MOST_DEAD = 1000 };

void
top_sums_open (struct top_sums *s, enum bbs_how how)
{
  *s = (struct top_sums) { .how = how };
}

void
top_sums_close (struct top_sums *s)
{
  for (size_t i = 0; i < s->n; i++)
    free (s->threads[i]);
  free (s->threads);
  free (s->cpus);
}

/* The index behind the last thread with that TID. */
static size_t
place_of (const struct top_sums *s, uint32_t tid)
{
  return ARRAY_BEFORE (i, s->n, s->threads[i]->tid <= tid);
}

struct top_thread *
top_find (const struct top_sums *s, uint32_t tid)
{
  size_t place = place_of (s, tid);
  return place && s->threads[place - 1]->tid == tid ? s->threads[place - 1] : NULL;
}

static void
add_counts (struct top_counts *sum, const struct top_counts *c)
{
  for (int i = 0; i < TIMELINE_STATES; i++)
    sum->time[i] += c->time[i];
  for (int i = 0; i < BBS_WHYS; i++)
    sum->why[i] += c->why[i];
  sum->voluntary += c->voluntary;
  sum->involuntary += c->involuntary;
  sum->migrations += c->migrations;
}

/* Forgets the thread that ended first. */
static void
bury (struct top_sums *s)
{
  size_t oldest = s->n;
  for (size_t i = 0; i < s->n; i++)
    if (oldest == s->n || s->threads[i]->died < s->threads[oldest]->died)
      oldest = i;
  struct top_thread *t = s->threads[oldest];
  add_counts (&s->forgotten, &t->counts);
  add_counts (&s->forgotten_before, &t->before);
  free (t);
  s->n--;
  s->ndead--;
  memmove (s->threads + oldest, s->threads + oldest + 1, (s->n - oldest) * sizeof *s->threads);
}

struct top_thread *
top_add (struct top_sums *s, uint32_t tid, uint64_t time)
{
  if (!array_grow (&s->threads, s->n, &s->room, sizeof *s->threads))
    return NULL;
  struct top_thread *t = calloc (1, sizeof *t);
  if (!t)
    return NULL;
  size_t place = place_of (s, tid);
  memmove (s->threads + place + 1, s->threads + place, (s->n - place) * sizeof *s->threads);
  s->threads[place] = t;
  s->n++;
  t->tid = tid;
  t->born = t->began = t->charged = t->told = time;
  t->died = TOP_LIVES;
  t->state = TIMELINE_UNKNOWN;
  t->cpu = BBS_CPU_UNKNOWN;
  t->call = BBS_CALL_NOT_KNOWN;
  t->nslices = time / TOP_SLICE;
  return t;
}

void
top_die (struct top_sums *s, struct top_thread *t, uint64_t time)
{
  if (t->died != TOP_LIVES)
    return;
  if (s->how == BBS_BY_POLLS && t->state != TIMELINE_SLEEPING)
    top_enter (s, t, t->told, TIMELINE_UNKNOWN,
               t->cpu); /* if it had gone on running, there would have been a poll */
  top_leave (s, t, time);
  t->died = time;
  s->ndead++;
}

void
top_forget (struct top_sums *s)
{
  while (s->ndead > MOST_DEAD)
    bury (s);
}

static int64_t
above_zero (int64_t n)
{
  return n < 0 ? 0 : n;
}

/* The growth up to NOW since BEFORE, which becomes NOW; not below 0, if time was taken back. */
static struct top_counts
take_difference (const struct top_counts *now, struct top_counts *before)
{
  struct top_counts d;
  for (int i = 0; i < TIMELINE_STATES; i++)
    d.time[i] = above_zero (now->time[i] - before->time[i]);
  for (int i = 0; i < BBS_WHYS; i++)
    d.why[i] = above_zero (now->why[i] - before->why[i]);
  d.voluntary = now->voluntary - before->voluntary;
  d.involuntary = now->involuntary - before->involuntary;
  d.migrations = now->migrations - before->migrations;
  *before = *now;
  return d;
}

static void
add_recent (struct top_sums *s, const struct top_thread *t)
{
  if (watched_is_own (t->name))
    s->own += t->recent.time[TIMELINE_RUNNING];
  else
    add_counts (&s->whole, &t->recent);
}

void
top_sums_tick (struct top_sums *s, uint64_t now)
{
  s->whole = take_difference (&s->forgotten, &s->forgotten_before);
  s->own = 0;
  for (size_t i = 0; i < s->n; i++)
    {
      struct top_thread *t = s->threads[i];
      if (t->died == TOP_LIVES)
        top_charge (s, t, now);
      t->recent = take_difference (&t->counts, &t->before);
      add_recent (s, t);
    }
  for (size_t i = 0; i < s->ncpus; i++)
    {
      struct top_cpu *c = &s->cpus[i];
      c->recent_time = above_zero (c->time - c->before_time);
      c->recent_switches = c->switches - c->before_switches;
      c->before_time = c->time;
      c->before_switches = c->switches;
    }
  s->period = now - s->now;
  s->now = now;
}

void
top_sums_whole (struct top_sums *s)
{
  s->whole = s->forgotten;
  s->own = 0;
  for (size_t i = 0; i < s->n; i++)
    {
      struct top_counts nothing = { .voluntary = 0 };
      s->threads[i]->recent = take_difference (&s->threads[i]->counts, &nothing);
      add_recent (s, s->threads[i]);
    }
  for (size_t i = 0; i < s->ncpus; i++)
    {
      s->cpus[i].recent_time = above_zero (s->cpus[i].time);
      s->cpus[i].recent_switches = s->cpus[i].switches;
    }
  s->period = s->now - s->reset;
}

void
top_sums_reset (struct top_sums *s)
{
  for (size_t i = 0; i < s->n; i++)
    {
      struct top_thread *t = s->threads[i];
      t->counts = t->before = (struct top_counts) { .voluntary = 0 };
      memset (t->longest, 0, sizeof t->longest);
    }
  for (size_t i = 0; i < s->ncpus; i++)
    s->cpus[i] = (struct top_cpu) { .tid = s->cpus[i].tid };
  s->forgotten = s->forgotten_before = (struct top_counts) { .voluntary = 0 };
  s->reset = s->now;
}

void
top_sums_end (struct top_sums *s, uint64_t now)
{
  for (size_t i = 0; i < s->n; i++)
    top_die (s, s->threads[i], now);
}
