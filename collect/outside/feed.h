/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of several attached processes, from the buffers of all processors, in the order of
   their times. */
#ifndef BBPROF_OUTSIDE_FEED_H
#define BBPROF_OUTSIDE_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/outside/perf_records.h"
#include "collect/watch/attach.h"

struct feed;

/* Null: out of memory. */
struct feed *feed_new (void);
void feed_free (struct feed *); /* may be null */

/* Attaches N EVENTS, which must stay, to the threads of PID, and returns these.  PAGES: of each
   buffer, at most.  False: errno says why. */
bool feed_attach (struct feed *, pid_t pid, const struct perf_event_attr *events, size_t n,
                  size_t pages, struct threads *);

/* Waits until a buffer is half full, or MILLISECONDS have passed; a signal ends it early. */
void feed_wait (struct feed *, unsigned milliseconds);

/* Begins a round: up to which records have come in.  Records that are so young that an earlier one
   might follow are held back, unless this is the LAST round. */
void feed_begin (struct feed *, bool last);
/* Records up to that time (clock_now) are given out in this round; UINT64_MAX: all. */
uint64_t feed_until (const struct feed *);
/* The next record; valid until the next call.  False: none. */
bool feed_next (struct feed *, struct outside_record *);

/* Records that were dropped and not reported as lost yet, when all are read. */
uint64_t feed_dropped (const struct feed *);

#endif
