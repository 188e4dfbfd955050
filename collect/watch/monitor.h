/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches the threads of a process, from another process of the same user: which of them has a
   processor when, and what the others wait for.

     attach.c       the kernel's events (perf_event_open) on all threads, a buffer a processor
     events.c       their records of context switches, later threads included, by time
     event_polls.c  polls of /proc beside events: wait reasons
     polls.c        polls of /proc instead of events, where the kernel refuses those
     proc_poll.c    one poll of one thread

   bbprof-writer watches the process that shares its memory with it; bbprof top, any process. */
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
  uint64_t started; /* CLOCK_MONOTONIC, nanoseconds: the zero of all times */
  enum bbs_how how; /* 0: events, or else polls */
  unsigned rate;    /* polls a second, at most; MONITOR_AUTO_RATE: the default for HOW */
};

/* Begins to watch.  Null: ERR says why (no such process, no permission).  The process may end at
   any time. */
struct monitor *monitor_open (const struct monitor_options *, struct error *);
void monitor_close (struct monitor *);

/* By events or polls, and since when. */
const struct bbs_watch *monitor_watch (const struct monitor *);

/* Waits until there are records, a poll is due, or MILLISECONDS have passed; a signal ends it
   early. */
void monitor_wait (struct monitor *, unsigned milliseconds);

/* Adds to W what was observed since the last call, each list by time; later calls add nothing of
   an earlier time.  LAST: also what is held back for that.  False: out of memory (some is lost),
   or the process cannot be watched any more. */
bool monitor_take (struct monitor *, struct watched *w, bool last);

/* Switches that were lost so far, because the kernel's buffer was full. */
uint64_t monitor_lost (const struct monitor *);

#endif
