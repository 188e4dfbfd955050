/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect/watch/event_polls.h"
#include "collect/watch/proc.h"
#include "collect/waits/waits.h"
#include "common/array.h"
#include "common/clock.h"

/* Polls may use at most 1 / PART of a processor's time.  Unused time can be saved up to
   SAVED_MOST nanoseconds. */
enum { PART = 200, SAVED_MOST = 2000000 };

struct polled {
  struct proc_thread files;
  uint64_t since; /* time of its last switch, from the start of the run */
  bool known;     /* it was polled before */
  bool sleeps;
  bool woken; /* it got a processor after a sleep, since its last poll */
  bool due;
};

struct event_polls {
  struct proc proc;
  struct polled *threads; /* by tid */
  size_t n, room;
  size_t due;             /* number of threads that are due */
  size_t next;            /* index at which the next round begins */
  uint64_t period, round; /* nanoseconds between two rounds; time of the last one (clock_now) */
  /* Nanoseconds of processor time that polls may use now; negative: to be saved first. */
  int64_t saved;
};

struct event_polls *
event_polls_open (pid_t pid, uint64_t started, unsigned rate, struct error *err)
{
  struct event_polls *l = calloc (1, sizeof *l);
  if (!l)
    return error_no_memory (err), NULL;
  if (!proc_open (&l->proc, pid, started, err))
    return free (l), NULL;
  l->period = 1000000000 / (rate ? rate : 1);
  return l;
}

void
event_polls_close (struct event_polls *l)
{
  if (!l)
    return;
  for (size_t i = 0; i < l->n; i++)
    proc_thread_close (&l->proc, &l->threads[i].files);
  proc_close (&l->proc);
  free (l->threads);
  free (l);
}

enum bbs_reasons
event_polls_reasons (const struct event_polls *l)
{
  return l->proc.reasons;
}

/* Index of TID, or where it has to be inserted. */
static size_t
position_of (const struct event_polls *l, uint32_t tid)
{
  return ARRAY_BEFORE (i, l->n, l->threads[i].files.tid < tid);
}

/* Null: out of memory; the thread is not polled then. */
static struct polled *
find_or_add (struct event_polls *l, uint32_t tid)
{
  size_t i = position_of (l, tid);
  if (i < l->n && l->threads[i].files.tid == tid)
    return &l->threads[i];
  if (!array_grow (&l->threads, l->n, &l->room, sizeof *l->threads))
    return NULL;
  memmove (&l->threads[i + 1], &l->threads[i], (l->n - i) * sizeof *l->threads);
  l->n++;
  l->threads[i] = (struct polled) { .sleeps = false };
  proc_thread_open (&l->threads[i].files, tid);
  return &l->threads[i];
}

static void
set_due (struct event_polls *l, struct polled *t, bool due)
{
  l->due += due;
  l->due -= t->due;
  t->due = due;
}

static void
remove_at (struct event_polls *l, size_t i)
{
  set_due (l, &l->threads[i], false);
  proc_thread_close (&l->proc, &l->threads[i].files);
  memmove (&l->threads[i], &l->threads[i + 1], (--l->n - i) * sizeof *l->threads);
}

void
event_polls_add (struct event_polls *l, uint32_t tid)
{
  struct polled *t = find_or_add (l, tid);
  if (t)
    set_due (l, t, true);
}

/* A poll is useful for a thread that sleeps (its wait reason), and for one that was woken up and
   runs (how long it was ready).  While a thread is ready, nothing is known of it. */
static void
follow (struct event_polls *l, struct polled *t, const struct bbs_switch *s)
{
  t->since = s->time;
  switch (s->kind)
    {
    case BBS_IN:
      t->woken |= t->sleeps;
      t->sleeps = false;
      set_due (l, t, t->woken);
      break;
    case BBS_OUT_SLEEPS:
      t->sleeps = true;
      set_due (l, t, true);
      break;
    case BBS_OUT_READY:
      t->sleeps = false;
      set_due (l, t, false);
      break;
    }
}

void
event_polls_switches (struct event_polls *l, const struct bbs_switch *switches, size_t n)
{
  for (const struct bbs_switch *s = switches; s < switches + n; s++)
    {
      if (s->kind == BBS_GAP)
        continue;
      struct polled *t = find_or_add (l, s->tid);
      if (!t)
        continue;
      if (s->kind == BBS_DIED)
        remove_at (l, (size_t) (t - l->threads));
      else
        follow (l, t, s);
    }
}

uint64_t
event_polls_due (const struct event_polls *l)
{
  if (!l->due)
    return UINT64_MAX;
  uint64_t due = l->round + l->period;
  uint64_t afforded = l->saved < 0 ? l->round + (uint64_t) -l->saved * PART : 0;
  return due > afforded ? due : afforded;
}

/* False: out of memory.  A thread that has ended is removed from the list. */
static bool
poll_thread (struct event_polls *l, size_t i, enum proc_detail detail, struct watched *w)
{
  struct polled *t = &l->threads[i];
  struct proc_sums sums;
  struct bbs_look look;
  detail = t->known ? detail : PROC_SWITCHES;
  if (!proc_sums (&l->proc, &t->files, &sums)
      || !proc_poll (&l->proc, &t->files, &sums, detail, &look, NULL))
    {
      if (errno == ENOENT || errno == ESRCH)
        remove_at (l, i);
      else
        set_due (l, t, false);
      return true;
    }
  t->known = true;
  t->woken = false;
  set_due (l, t, false);
  return watched_add_look (w, &look);
}

/* Nanoseconds of processor time that polls have used, but for what is done once for an object. */
static uint64_t
used (const struct event_polls *l)
{
  return clock_used () - waits_prepared (l->proc.waits);
}

/* One round over the threads, from where the last one stopped, until none is due or no time is
   saved any more.  Polls the threads that are due and have not switched since BEFORE. */
static bool
go_round (struct event_polls *l, struct watched *w, enum proc_detail detail, uint64_t before)
{
  uint64_t since = used (l);
  size_t i = l->next < l->n ? l->next : 0;
  for (size_t left = l->n; left && l->due && l->saved > 0; left--)
    {
      size_t n = l->n;
      if (l->threads[i].due && l->threads[i].since < before)
        {
          if (!poll_thread (l, i, detail, w))
            return false;
          uint64_t now = used (l);
          l->saved -= (int64_t) (now - since);
          since = now;
        }
      i += l->n == n;
      i = i < l->n ? i : 0;
    }
  l->next = i;
  return true;
}

static bool
poll_all (struct event_polls *l, struct watched *w)
{
  bool good = true;
  for (size_t i = l->n; i-- > 0 && good;)
    good = poll_thread (l, i, PROC_SWITCHES, w);
  return good;
}

/* Long sleeps come first: each of them gets its poll, however many short ones there are. */
bool
event_polls_take (struct event_polls *l, struct watched *w, bool all)
{
  uint64_t now = clock_now ();
  if (all)
    return poll_all (l, w);
  if (now < event_polls_due (l))
    return true;
  l->saved += (int64_t) ((now - l->round) / PART);
  if (l->saved > SAVED_MOST)
    l->saved = SAVED_MOST;
  l->round = now;
  return go_round (l, w, PROC_STATE, now - l->proc.started - l->period)
         && go_round (l, w, PROC_REASON, UINT64_MAX);
}
