/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks beside the kernel's records of switches: why somebody sleeps, how long who was woken up
   had to wait, and each thread once at the beginning and at the end. */
#ifndef BBPROF_EVENT_POLLS_H
#define BBPROF_EVENT_POLLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/streams/watched.h"
#include "common/error.h"

struct event_polls;

/* Times in what is looked at are nanoseconds from STARTED (CLOCK_MONOTONIC) on; RATE: rounds a
   second at most.  Null: ERR says why. */
struct event_polls *event_polls_open (pid_t pid, uint64_t started, unsigned rate,
                                      struct error *err);
void event_polls_close (struct event_polls *); /* may be null */

enum bbs_reasons event_polls_reasons (const struct event_polls *);

/* TID lives, and was there before the first switch was told. */
void event_polls_add (struct event_polls *, uint32_t tid);

/* The N switches, in order of time: who sleeps since when, who is born, who has died. */
void event_polls_switches (struct event_polls *, const struct bbs_switch *, size_t n);

/* When the next round is due: CLOCK_MONOTONIC, nanoseconds; UINT64_MAX: not before somebody goes
   to sleep. */
uint64_t event_polls_due (const struct event_polls *);

/* Looks at whoever is due, or at ALL: adds to W.  False: no memory. */
bool event_polls_take (struct event_polls *, struct watched *w, bool all);

#endif
