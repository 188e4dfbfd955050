/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polls of /proc, where the kernel refuses its events on switches.  Called by monitor.c. */
#ifndef BBPROF_MONITOR_POLLS_H
#define BBPROF_MONITOR_POLLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "common/error.h"

struct polls;

/* Times are nanoseconds since STARTED (CLOCK_MONOTONIC).  RATE: polls a second, at most.  Null:
   ERR says why. */
struct polls *polls_open (pid_t pid, uint64_t started, unsigned rate, struct error *err);
void polls_close (struct polls *); /* may be null */

enum bbs_reasons polls_reasons (const struct polls *);

/* When the next poll is due (CLOCK_MONOTONIC, nanoseconds). */
uint64_t polls_due (const struct polls *);

/* Polls each thread, if a poll is due or this is the LAST call: adds births and deaths (as
   switches), names and polls to W.  False: out of memory, or the process has ended. */
bool polls_take (struct polls *, struct watched *w, bool last);

#endif
