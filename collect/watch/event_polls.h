/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polls of /proc beside the kernel's events, for what events do not tell: wait reasons, how long
   a thread was ready after a wake-up, and each thread's sums at the beginning and at the end.
   Called by monitor.c. */
#ifndef BBPROF_EVENT_POLLS_H
#define BBPROF_EVENT_POLLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "common/error.h"

struct event_polls;

/* Times of polls are nanoseconds since STARTED (CLOCK_MONOTONIC).  RATE: rounds a second, at
   most. Null: ERR says why. */
struct event_polls *event_polls_open (pid_t pid, uint64_t started, unsigned rate,
                                      struct error *err);
void event_polls_close (struct event_polls *); /* may be null */

enum bbs_reasons event_polls_reasons (const struct event_polls *);

/* TID lived before the first switch. */
void event_polls_add (struct event_polls *, uint32_t tid);

/* Takes N switches, sorted by time: they tell which threads sleep, began or ended. */
void event_polls_switches (struct event_polls *, const struct bbs_switch *, size_t n);

/* The time at which the next round is due (CLOCK_MONOTONIC, nanoseconds); UINT64_MAX: not before a
   thread sleeps. */
uint64_t event_polls_due (const struct event_polls *);

/* Polls the threads that are due, or ALL, and adds the polls to W.  False: out of memory. */
bool event_polls_take (struct event_polls *, struct watched *w, bool all);

#endif
