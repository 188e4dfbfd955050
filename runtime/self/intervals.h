/* SPDX-License-Identifier: MIT */
/* Intervals of the process's own threads: the lists, and the two ways to fill them.  Context:
   cold; one thread at a time (own_intervals.c). */
#ifndef BBP_INTERVALS_H
#define BBP_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof.h"

#pragma GCC visibility push(hidden)

/* interval_lists.c: the threads, by tid.  The lists of a few threads that have ended are kept,
   until others need their memory. */
struct bbp_intervals {
  int tid;
  bool ended;
  bool fresh; /* no switch was seen; then its first state was read from /proc, and may be late */
  bool seen;  /* in the poll that is being made */
  /* Of the last poll: CPU time, time in which it was ready (nanoseconds), how often it went to
     sleep; and the time that was taken for ready before the kernel says so. */
  uint64_t run, wait, sleeps, assumed;
  /* A reason that was read, and when: of the sleep at that time; null: none. */
  uint64_t why_time;
  const char *why;
  size_t n; /* intervals so far */
  struct bbprof_interval last[];
};
bool bbp_intervals_make (size_t keep); /* false: no memory */
void bbp_intervals_drop (void);
/* Null: there is none, or it has ended, but LAST. */
struct bbp_intervals *bbp_intervals_of (int tid, bool last);
/* A new thread, in STATE since TIME; null: no memory. */
struct bbp_intervals *bbp_intervals_add (int tid, uint64_t time, int state, int by);
void bbp_intervals_each (void (*each) (struct bbp_intervals *, uint64_t time), uint64_t time);
/* The present interval. */
struct bbprof_interval *bbp_intervals_now (struct bbp_intervals *);
/* From TIME on it is in STATE, on CPU if it runs. */
void bbp_intervals_change (struct bbp_intervals *, uint64_t time, int state, int cpu);
void bbp_intervals_end (struct bbp_intervals *, uint64_t time);
/* The present interval lasts until TIME at least: then a reason may be that of this sleep. */
void bbp_intervals_know (struct bbp_intervals *, uint64_t time);
/* Copies the last N; the present one lasts until TIME. */
int bbp_intervals_copy (const struct bbp_intervals *, struct bbprof_interval *, int n,
                        uint64_t time);

/* interval_events.c */
int bbp_interval_events_start (void); /* 0 or -errno */
void bbp_interval_events_stop (void);
void bbp_interval_events_forget (void); /* in a forked child, which has no mapping of the buffers */
uint64_t bbp_interval_events_take (void); /* returns the time up to which all is known */

/* interval_polls.c */
/* Reads the state of thread TID, and the processor where it is; '\0': it has ended. */
char bbp_interval_state (int tid, int *cpu);
/* The reason for which the thread waits at the moment; null: it does not wait. */
const char *bbp_interval_why (int tid);
int bbp_interval_polls_start (void);     /* 0 or -errno: there is no /proc */
uint64_t bbp_interval_polls_take (void); /* likewise */

#pragma GCC visibility pop

#endif
