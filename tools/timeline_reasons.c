/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why threads sleep: a look that was taken while one slept says it of all that sleep. */
#include "config.h"

#include <stdio.h>

#include "syscall_names.h"
#include "timeline_own.h"

void
timeline_add_reasons (struct timeline_thread *thread, const struct bbs_look *const *looks, size_t n)
{
  size_t l = 0;
  for (size_t i = 0; i < thread->nintervals; i++)
    {
      struct timeline_interval *interval = &thread->intervals[i];
      for (; l < n && looks[l]->time <= interval->end; l++)
        if (interval->state == TIMELINE_SLEEPING && looks[l]->time >= interval->start && looks[l]->state != 'R'
            && looks[l]->why < BBS_WHYS && looks[l]->why != BBS_WHY_NOT_KNOWN)
          {
            interval->why = looks[l]->why;
            interval->call = looks[l]->call;
          }
    }
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
