/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why threads sleep: a look that was taken while one slept says it of all that sleep; looks near by, of who slept too shortly,
   make it likely. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "syscall_names.h"
#include "timeline_own.h"

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

/* Looks that lie in a sleep, state 0 aside, which nobody can say that of. */
static void
add_seen (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n)
{
  size_t l = 0;
  for (size_t i = 0; i < thread->nintervals; i++)
    for (; l < n && looks[l]->time <= thread->intervals[i].end; l++)
      if (thread->intervals[i].state == TIMELINE_SLEEPING && looks[l]->time >= thread->intervals[i].start && looks[l]->state != 0
          && knows (looks[l]))
        give (&thread->intervals[i], looks[l]);
}

/* So many looks before a sleep that nobody looked at, and behind it, are asked what it was. */
enum { WITNESSES = 4 };

/* What most of the N looks say; of as many the first. */
static const struct bbs_look *
ask (const struct bbs_look *const *looks, size_t n)
{
  const struct bbs_look *best = NULL;
  for (size_t i = 0, most = 0; i < n; i++)
    {
      size_t votes = 0;
      for (size_t k = 0; k < n; k++)
        votes += looks[k]->why == looks[i]->why && looks[k]->call == looks[i]->call;
      if (votes > most)
        {
          most = votes;
          best = looks[i];
        }
    }
  return best;
}

/* Short sleeps are seldom looked at, but a thread mostly sleeps in the same way again and again.  KNOWING: looks with reasons. */
static void
add_likely (struct timeline_thread *thread, const struct bbs_look *const *knowing, size_t n)
{
  for (size_t i = 0, next = 0; n > 0 && i < thread->nintervals; i++)
    {
      struct timeline_interval *interval = &thread->intervals[i];
      while (next < n && knowing[next]->time < interval->start)
        next++;
      if (interval->state != TIMELINE_SLEEPING || interval->why != BBS_WHY_NOT_KNOWN)
        continue;
      size_t from = next > WITNESSES ? next - WITNESSES : 0, to = n - next > WITNESSES ? next + WITNESSES : n;
      give (interval, ask (knowing + from, to - from));
      interval->estimated = true;
    }
}

bool
timeline_add_reasons (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n)
{
  const struct bbs_look **knowing = malloc ((n + 1) * sizeof *knowing);
  size_t nknowing = 0, unbound = 0;
  if (!knowing)
    return false;
  add_seen (thread, looks, n);
  for (size_t i = 0; i < n; i++)
    unbound += looks[i]->state == 0 && knows (looks[i]);
  for (size_t i = 0; i < n; i++)
    if (knows (looks[i]) && (unbound == 0 || looks[i]->state == 0))
      knowing[nknowing++] = looks[i];
  add_likely (thread, knowing, nknowing);
  free (knowing);
  return true;
}

void
timeline_reason (const struct timeline_interval *i, char *text, size_t size)
{
  const char *why = watched_why_text (i->why), *call = i->call >= 0 ? syscall_name ((uint64_t) i->call) : NULL;
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
