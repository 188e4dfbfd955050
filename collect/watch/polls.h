/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel tells nobody of switches: /proc is looked at again and again. */
#ifndef BBPROF_MONITOR_POLLS_H
#define BBPROF_MONITOR_POLLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "common/error.h"

struct polls;

/* Times are told from STARTED (CLOCK_MONOTONIC, nanoseconds) on; RATE: looks a second, at most.
   Null: ERR says why. */
struct polls *polls_open (pid_t pid, uint64_t started, unsigned rate, struct error *err);
void polls_close (struct polls *); /* may be null */

enum bbs_reasons polls_reasons (const struct polls *);

/* When the next look is due: CLOCK_MONOTONIC, nanoseconds. */
uint64_t polls_due (const struct polls *);

/* A look at each thread, if one is due, or it is the LAST: births and deaths (as switches),
   names, looks are added to W. False: no memory, or the process is gone. */
bool polls_take (struct polls *, struct watched *w, bool last);

#endif
