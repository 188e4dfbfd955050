/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches the threads of a process, from another process of the same user: which of them has a
   processor when.

     attach.c  the kernel's events (perf_event_open) on all threads, one buffer for each processor
     events.c  what they tell of each switch, threads born later included, in one order
     polls.c   where that is refused: /proc, looked at again and again
     event_polls.c   beside events: what /proc says of one thread, and what sleepers wait for
     why.c     what a system call, or a place in the kernel, is waited in for

   bbprof-writer watches the process whose shared memory it has; bbprof top, any. */
#ifndef BBPROF_MONITOR_H
#define BBPROF_MONITOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "common/error.h"

struct monitor;

enum { MONITOR_AUTO_RATE = 0 };
struct monitor_options {
  pid_t pid;
  uint64_t started; /* CLOCK_MONOTONIC, nanoseconds: times are told from here */
  enum bbs_how how; /* 0: events, or else polls */
  unsigned rate;    /* looks a second at most; MONITOR_AUTO_RATE: what suits HOW */
};

/* Begins to watch; null: ERR says why that is not possible (no such process, no right to).  The
   process may end at any time. */
struct monitor *monitor_open (const struct monitor_options *, struct error *);
void monitor_close (struct monitor *);

/* How, and since when. */
const struct bbs_watch *monitor_watch (const struct monitor *);

/* Waits until there is something to take, a look is due, or MILLISECONDS have passed; woken
   early by a signal. */
void monitor_wait (struct monitor *, unsigned milliseconds);

/* Adds to W what has been seen since the last time, each list in order of time; nothing that
   comes later is of an earlier time.  LAST: also what is held back for that.  False: no memory,
   something is lost, or the process cannot be watched any more. */
bool monitor_take (struct monitor *, struct watched *w, bool last);

/* Switches that the kernel had no room for, so far. */
uint64_t monitor_lost (const struct monitor *);

#endif
