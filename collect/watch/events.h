/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel tells of each switch: brought into one order, over all processors. */
#ifndef BBPROF_MONITOR_EVENTS_H
#define BBPROF_MONITOR_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "collect/watch/threads.h"

struct events;

enum { EVENTS_PAGES = 32 }; /* of 4 KB: 5,461 records; a switch is two, who goes and who comes */

/* Of PID, whose threads of then are in THREADS; times are told from STARTED (CLOCK_MONOTONIC,
   nanoseconds) on.  PAGES: of each buffer, at most, a power of two.  Null: errno says why. */
struct events *events_open (pid_t pid, uint64_t started, size_t pages, struct threads *threads);
void events_close (struct events *); /* may be null */

uint64_t events_begun (const struct events *); /* since when: CLOCK_MONOTONIC, nanoseconds */

/* Until a buffer is half full, OTHER (a descriptor, or -1) can be read, or NANOSECONDS have
   passed; woken early by a signal.  True: OTHER can. */
bool events_wait (struct events *, int other, uint64_t nanoseconds);

/* Adds switches and names to W, in order of time; what is so young that something earlier might
   still come is held back, but not if this is the LAST time.  False: no memory. */
bool events_take (struct events *, struct watched *w, bool last);

uint64_t events_lost (const struct events *); /* records, so far */

#endif
