/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a known timeline: timeline_player svg|html THREADS INTERVALS [FROM TO], times in
   nanoseconds.  Each thread repeats a cycle: runs 3 ms, is ready 1 ms, runs 2 ms on the other
   one of two processors, sleeps 4 ms in a lock; in each fourth cycle the last 1 ms of its sleep
   is unknown.  Thread k begins k ms after the run.  The third thread differs: it runs for 1 us
   in each 10 ms and sleeps for time in between.  This file also makes up stacks and reasons; the
   sums are the model's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/intervals/timeline_own.h"
#include "tools/timeline/timeline_emit.h"

#define MS 1000000u

/* From what the thread did before to STATE. */
static void
count_switch (struct timeline_thread *thread, struct timeline_interval *interval,
              enum timeline_state state, unsigned detail)
{
  static unsigned cpu;
  const bool first = interval == thread->intervals,
             ran = !first && interval[-1].state == TIMELINE_RUNNING;
  thread->sums.voluntary += ran && state == TIMELINE_SLEEPING;
  thread->sums.involuntary += ran && state == TIMELINE_READY;
  thread->sums.migrations += !first && state == TIMELINE_RUNNING && detail != cpu;
  cpu = state == TIMELINE_RUNNING ? detail : cpu;
  interval->counts = timeline_counts (thread);
}

static uint64_t
put (struct timeline_thread *thread, uint64_t time, uint64_t length, enum timeline_state state,
     unsigned detail)
{
  struct timeline_interval *interval = &thread->intervals[thread->nintervals++];
  *interval = (struct timeline_interval) {
    .start = time, .end = time + length, .state = (uint8_t) state, .call = -1
  };
  count_switch (thread, interval, state, detail);
  interval->cpu = BBS_CPU_UNKNOWN;
  if (state == TIMELINE_RUNNING)
    interval->cpu = (uint16_t) detail;
  else if (state == TIMELINE_SLEEPING)
    interval->why = (uint8_t) detail;
  interval->preempted = state == TIMELINE_READY;
  thread->sums.time[state] += length;
  return time + length;
}

static uint64_t
put_round (struct timeline_thread *thread, unsigned index, unsigned round, uint64_t time)
{
  if (index == 2)
    {
      time = put (thread, time, 1000, TIMELINE_RUNNING, 0);
      return put (thread, time, 10 * MS - 1000, TIMELINE_SLEEPING, BBS_WHY_TIME);
    }
  time = put (thread, time, 3 * MS, TIMELINE_RUNNING, index % 2);
  time = put (thread, time, 1 * MS, TIMELINE_READY, 0);
  time = put (thread, time, 2 * MS, TIMELINE_RUNNING, 1 - index % 2);
  time = put (thread, time, round % 4 == 3 ? 3 * MS : 4 * MS, TIMELINE_SLEEPING, BBS_WHY_LOCK);
  return round % 4 == 3 ? put (thread, time, 1 * MS, TIMELINE_UNKNOWN, 0) : time;
}

static void
fill_thread (struct timeline_thread *thread, unsigned index, size_t intervals)
{
  static const char *const names[] = { "main", "</script><b>bold", "w\xc3\xb6rker" };
  static char worker[24];
  snprintf (worker, sizeof worker, "worker-%u", index);
  *thread
      = (struct timeline_thread) { .number = index + 1, .tid = 1000 + index, .cpu = BBS_NOT_KNOWN };
  thread->begun = index * (uint64_t) MS;
  thread->name = strdup (index < 3 ? names[index] : worker);
  thread->intervals = calloc (intervals + 5, sizeof *thread->intervals);
  thread->samples = calloc (intervals / 4 + 2, sizeof *thread->samples);
  uint64_t time = thread->begun;
  for (unsigned round = 0; thread->nintervals < intervals; round++)
    {
      if (index != 2)
        thread->samples[thread->nsamples++]
            = (struct timeline_sample) { .time = time + MS, .stack = 1 + index % 2, .ticks = 1 };
      time = put_round (thread, index, round, time);
    }
  thread->ended = time;
  timeline_add_sums (thread);
}

size_t
timeline_stacks (const struct timeline *t)
{
  (void) t;
  return 3;
}

const char *
timeline_frame (const struct timeline *t, uint32_t stack, size_t n)
{
  static const char *const frames[][3]
      = { { NULL }, { "operator<", "work", "main" }, { "spin", "work", "main" } };
  (void) t;
  return n < 3 ? frames[stack][n] : NULL;
}

void
timeline_reason (const struct timeline_interval *interval, char *text, size_t size)
{
  snprintf (text, size, "%s", interval->why == BBS_WHY_LOCK ? "futex (lock)" : "nanosleep (time)");
}

int
main (int argc, char **argv)
{
  if (argc != 4 && argc != 6)
    return fprintf (stderr, "usage: timeline_player svg|html THREADS INTERVALS [FROM TO]\n"), 2;
  size_t n = strtoul (argv[2], NULL, 10), each = strtoul (argv[3], NULL, 10) / n;
  struct timeline_mark marks[] = { { 5 * MS, 0, "begin", 0 },
                                   { 25 * MS, 1, "<img src=x onerror=alert(1)>", 0 },
                                   { 26 * MS, UINT32_MAX, "\xe2\x98\x83", 0 },
                                   { 0, 0, "last", 0 } };
  struct timeline t = {
    .program = "a<b>&.out", .watch.how = BBS_BY_EVENTS, .cpus = 2, .marks = marks, .nmarks = 4
  };
  t.threads = calloc (n, sizeof *t.threads);
  t.nthreads = n;
  uint32_t *rows = calloc (n, sizeof *rows);
  for (uint32_t i = 0; i < n; i++)
    {
      fill_thread (&t.threads[i], i, each);
      t.end = t.threads[i].ended > t.end ? t.threads[i].ended : t.end;
      rows[i] = i;
    }
  marks[3].time = t.end - MS;
  struct timeline_view view
      = { .timeline = &t, .from = 0, .to = t.end, .threads = rows, .nthreads = n };
  if (argc == 6)
    {
      view.from = strtoull (argv[4], NULL, 10);
      view.to = strtoull (argv[5], NULL, 10);
    }
  struct error err = { .file = NULL };
  if (!(strcmp (argv[1], "svg") == 0 ? timeline_emit_svg : timeline_emit_html) (stdout, &view,
                                                                                &err))
    return fprintf (stderr, "%s\n", err.text), 1;
  return 0;
}
