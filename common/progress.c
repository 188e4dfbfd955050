/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/visible.h"

/* The first line appears after a second, updates in shorter steps. */
enum { FIRST_MS = 1000, STEP_MS = 100 };

static void
wait_for (struct progress *p, long ms)
{
  clock_gettime (CLOCK_MONOTONIC, &p->next);
  p->next.tv_sec += ms / 1000;
  p->next.tv_nsec += ms % 1000 * 1000000;
  if (p->next.tv_nsec >= 1000000000)
    {
      p->next.tv_sec++;
      p->next.tv_nsec -= 1000000000;
    }
}

void
progress_start (struct progress *p, const char *name, size_t all)
{
  *p = (struct progress) { .name = name, .all = all, .wanted = isatty (STDERR_FILENO) };
  wait_for (p, FIRST_MS);
}

void
progress_tell (struct progress *p, size_t done)
{
  struct timespec now;
  if (!p->wanted)
    return;
  clock_gettime (CLOCK_MONOTONIC, &now);
  if (now.tv_sec < p->next.tv_sec
      || (now.tv_sec == p->next.tv_sec && now.tv_nsec < p->next.tv_nsec))
    return;
  const char *name = visible (p->name);
  if (p->all > 0)
    dprintf (STDERR_FILENO, "\r%s: %zu of %zu", name, done, p->all);
  else
    dprintf (STDERR_FILENO, "\r%s: %zu", name, done);
  p->shown = true;
  wait_for (p, STEP_MS);
}

void
progress_clear (struct progress *p)
{
  if (p->shown)
    dprintf (STDERR_FILENO, "\r\033[K");
  p->shown = false;
}
