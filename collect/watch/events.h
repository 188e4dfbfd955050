/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's records of context switches, merged over all processors by time.  Called by
   monitor.c. */
#ifndef BBPROF_MONITOR_EVENTS_H
#define BBPROF_MONITOR_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "collect/watch/threads.h"

struct events;

/* of 4 KB: 5,461 records; a context switch is two, for the thread that leaves and the one that
   comes */
enum { EVENTS_PAGES = 32 };

/* Watches PID, and returns its present threads in THREADS.  Times are nanoseconds since STARTED
   (CLOCK_MONOTONIC).  PAGES: of each buffer, at most; a power of two.  Null: errno says why. */
struct events *events_open (pid_t pid, uint64_t started, size_t pages, struct threads *threads);
void events_close (struct events *); /* may be null */

/* when watching began (CLOCK_MONOTONIC, nanoseconds) */
uint64_t events_begun (const struct events *);

/* Waits until a buffer is half full, OTHER (a descriptor, or -1) is readable, or NANOSECONDS have
   passed; a signal ends it early.  True: OTHER is readable. */
bool events_wait (struct events *, int other, uint64_t nanoseconds);

/* Adds switches and names to W, by time.  Records that are so young that an earlier one might
   follow are held back, unless this is the LAST call.  False: out of memory. */
bool events_take (struct events *, struct watched *w, bool last);

uint64_t events_lost (const struct events *); /* records that were lost so far */

#endif
