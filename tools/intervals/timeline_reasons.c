/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wait reasons.  A poll in a sleep tells the reason of that sleep; for sleeps without a poll, polls
   near by make a reason likely. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/symbols/syscall_names.h"
#include "tools/intervals/timeline_own.h"

static bool
knows (const struct bbs_look *look)
{
  return look->state != 'R' && look->why < BBS_WHYS && look->why != BBS_WHY_NOT_KNOWN;
}

static void
give (struct timeline_interval *i, const struct bbs_look *look)
{
  i->why = look->why;
  i->call = look->call;
}

/* A sleep that lies mostly in WAIT was for the profiler; by polls it ends with a poll. */
void
timeline_add_wait (struct timeline_thread *thread, const struct bbs_wait *wait)
{
  for (size_t i = 0; i < thread->nintervals; i++)
    {
      struct timeline_interval *is = &thread->intervals[i];
      const uint64_t from = is->start > wait->from ? is->start : wait->from,
                     to = is->end < wait->to ? is->end : wait->to;
      if (is->state != TIMELINE_SLEEPING || from >= to || to - from <= (is->end - is->start) / 2)
        continue;
      is->why = BBS_WHY_PROFILER;
      is->call = BBS_CALL_NOT_KNOWN;
      is->estimated = false;
    }
}

/* Polls in a sleep, but for those with state 0, of which that is not certain. */
static void
add_seen (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n)
{
  size_t l = 0;
  for (size_t i = 0; i < thread->nintervals; i++)
    for (; l < n && looks[l]->time <= thread->intervals[i].end; l++)
      if (thread->intervals[i].state == TIMELINE_SLEEPING
          && thread->intervals[i].why != BBS_WHY_PROFILER
          && looks[l]->time >= thread->intervals[i].start && looks[l]->state != 0
          && knows (looks[l]))
        give (&thread->intervals[i], looks[l]);
}

/* A poll that knows the reason, and the length of its sleep. */
struct witness {
  const struct bbs_look *look;
  uint64_t length;
};

static uint64_t
length_of (const struct timeline_interval *i)
{
  return i->end - i->start;
}

/* The length of the sleep that LOOK was taken in; with state 0, of the last sleep before.  0: there
   is none, or it was for the profiler, or it is the one in which watching began. */
static uint64_t
sleep_of (const struct timeline_thread *thread, const struct bbs_look *look)
{
  const struct timeline_interval *first = thread->intervals, *i = timeline_at (thread, look->time);
  if (!i && thread->nintervals > 0)
    i = first + thread->nintervals - 1;
  while (i && i > first
         && (i->state != TIMELINE_SLEEPING || (look->state == 0 && i->end > look->time)))
    i--;
  return i && i > first && i->state == TIMELINE_SLEEPING && i->why != BBS_WHY_PROFILER
             ? length_of (i)
             : 0;
}

/* The number of witnesses, before and behind a sleep without a poll, that are considered. */
enum { WITNESSES = 16, CLOSEST = 4 };

/* Within a factor of four. */
static bool
are_similar (uint64_t a, uint64_t b)
{
  return a / 4 <= b && b / 4 <= a;
}

/* The poll with the most frequent reason of the N witnesses, the first of several; with a LENGTH,
   only of sleeps with a similar length.  Null: there is none. */
static const struct bbs_look *
ask (const struct witness *w, size_t n, const uint64_t *length)
{
  const struct bbs_look *best = NULL;
  for (size_t i = 0, most = 0; i < n; i++)
    {
      size_t votes = 0;
      if (length && !are_similar (w[i].length, *length))
        continue;
      for (size_t k = 0; k < n; k++)
        votes += w[k].look->why == w[i].look->why && w[k].look->call == w[i].look->call
                 && (!length || are_similar (w[k].length, *length));
      if (votes > most)
        {
          most = votes;
          best = w[i].look;
        }
    }
  return best;
}

/* At most MOST witnesses before NEXT, and as many from NEXT on. */
static const struct bbs_look *
ask_around (const struct witness *w, size_t n, size_t next, size_t most, const uint64_t *length)
{
  size_t from = next > most ? next - most : 0, to = n - next > most ? next + most : n;
  return ask (w + from, to - from, length);
}

/* Short sleeps seldom get a poll, but most threads sleep in a few ways again and again, each with
   its typical length: so sleeps of a similar length are considered first. */
static void
add_likely (struct timeline_thread *thread, const struct witness *w, size_t n)
{
  for (size_t i = 0, next = 0; n > 0 && i < thread->nintervals; i++)
    {
      struct timeline_interval *interval = &thread->intervals[i];
      while (next < n && w[next].look->time < interval->start)
        next++;
      if (interval->state != TIMELINE_SLEEPING || interval->why != BBS_WHY_NOT_KNOWN)
        continue;
      const uint64_t length = length_of (interval);
      const struct bbs_look *likely = ask_around (w, n, next, WITNESSES, &length);
      give (interval, likely ? likely : ask_around (w, n, next, CLOSEST, NULL));
      interval->estimated = true;
    }
}

bool
timeline_add_reasons (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n)
{
  struct witness *witnesses = malloc ((n + 1) * sizeof *witnesses);
  size_t known = 0;
  if (!witnesses)
    return false;
  add_seen (thread, looks, n);
  for (size_t i = 0; i < n; i++)
    {
      const uint64_t length = knows (looks[i]) ? sleep_of (thread, looks[i]) : 0;
      if (length > 0)
        witnesses[known++] = (struct witness) { looks[i], length };
    }
  add_likely (thread, witnesses, known);
  free (witnesses);
  return true;
}

void
timeline_reason (const struct timeline_interval *i, char *text, size_t size)
{
  const char *why = watched_why_text (i->why),
             *call = i->call >= 0 ? syscall_name (HOST_IMAGE, (uint64_t) i->call) : NULL;
  if (i->state != TIMELINE_SLEEPING)
    snprintf (text, size, "%s", "");
  else if (i->call < 0)
    snprintf (text, size, "%s", why);
  else if (!call)
    snprintf (text, size, "system call %d", i->call);
  else if (i->why == BBS_WHY_OTHER || i->why == BBS_WHY_NOT_KNOWN)
    snprintf (text, size, "%s", call);
  else
    snprintf (text, size, "%s (%s)", call, why);
}
