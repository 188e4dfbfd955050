/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>

#include "timeline.h"

bool
timeline_open (struct timeline *t, const char *profile, const char *program, const char *argv0, struct error *err)
{
  (void) argv0;
  *t = (struct timeline) { .program = program };
  return error_set (err, profile, ERROR_NO_OFFSET, "no record of switches");
}

void
timeline_close (struct timeline *t)
{
  *t = (struct timeline) { .program = NULL };
}

const struct timeline_interval *
timeline_at (const struct timeline_thread *thread, uint64_t time)
{
  size_t from = 0, to = thread->nintervals;
  while (from < to)
    {
      size_t middle = from + (to - from) / 2;
      if (thread->intervals[middle].end <= time)
        from = middle + 1;
      else
        to = middle;
    }
  return from < thread->nintervals && thread->intervals[from].start <= time ? &thread->intervals[from] : NULL;
}

struct timeline_sums
timeline_sum (const struct timeline_thread *thread, uint64_t from, uint64_t to)
{
  (void) from;
  (void) to;
  return thread->sums;
}

const struct timeline_sample *
timeline_sample_at (const struct timeline_thread *thread, uint64_t time)
{
  (void) thread;
  (void) time;
  return NULL;
}

const char *
timeline_frame (const struct timeline *t, uint32_t stack, size_t n)
{
  (void) t;
  (void) stack;
  (void) n;
  return NULL;
}

size_t
timeline_stacks (const struct timeline *t)
{
  (void) t;
  return 1;
}

const char *
timeline_state_name (enum timeline_state state)
{
  static const char *const names[TIMELINE_STATES] = { "running", "ready", "sleeping", "unknown" };
  return state < TIMELINE_STATES ? names[state] : "unknown";
}

void
timeline_reason (const struct timeline_interval *interval, char *text, size_t size)
{
  (void) interval;
  snprintf (text, size, "%s", "");
}
