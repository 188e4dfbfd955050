/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why threads sleep: a look that was taken while one slept says it of all that sleep; looks near
   by, of who slept too shortly, make it likely. */
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

/* Sleep of which most lies in WAIT was for the profiler: by polls it ends with a look. */
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

/* Looks that lie in a sleep, state 0 aside, which nobody can say that of. */
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

/* A look that knows why, and how long the sleep was that it is about. */
struct witness {
  const struct bbs_look *look;
  uint64_t length;
};

static uint64_t
length_of (const struct timeline_interval *i)
{
  return i->end - i->start;
}

/* The sleep that LOOK lies in; of one with state 0, which has seen some sleep just before its
   time, the last one before.  0: none, or one for the profiler, or that which the thread was
   found in when watching began. */
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

/* So many witnesses before a sleep that nobody looked at, and behind it, are asked what it was. */
enum { WITNESSES = 16, CLOSEST = 4 };

/* Within a factor of four. */
static bool
are_similar (uint64_t a, uint64_t b)
{
  return a / 4 <= b && b / 4 <= a;
}

/* What most of the N witnesses say, of as many the first; with a LENGTH, of those only whose
   sleep was similar.  Null: none was. */
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

/* MOST witnesses at most before the one NEXT, and from it on. */
static const struct bbs_look *
ask_around (const struct witness *w, size_t n, size_t next, size_t most, const uint64_t *length)
{
  size_t from = next > most ? next - most : 0, to = n - next > most ? next + most : n;
  return ask (w + from, to - from, length);
}

/* Short sleeps are seldom looked at, but a thread mostly sleeps in the same few ways again and
   again, each of which takes its time: so sleeps of a similar length are asked first. */
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
             *call = i->call >= 0 ? syscall_name ((uint64_t) i->call) : NULL;
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
